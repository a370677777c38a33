// SPDX-License-Identifier: Apache-2.0
/**
 * Messages and services that go-plugin serves in addition to the provider: broker, controller and standard output.
 *
 * @module
 */
export * from "./gen/plugin/grpc_broker_pb.ts";
export * from "./gen/plugin/grpc_controller_pb.ts";
export * from "./gen/plugin/grpc_stdio_pb.ts";
