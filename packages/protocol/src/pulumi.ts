// SPDX-License-Identifier: Apache-2.0
/**
 * Messages and services of the Pulumi engine's protocol (`pulumirpc`): the resource provider, and the engine as plugins call it.
 *
 * @module
 */
export * from "./gen/pulumi/provider_pb.ts";
export * from "./gen/pulumi/engine_pb.ts";
export * from "./gen/pulumi/plugin_pb.ts";
export * from "./gen/pulumi/errors_pb.ts";
export * from "./gen/pulumi/alias_pb.ts";
