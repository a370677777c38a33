// SPDX-License-Identifier: Apache-2.0
/**
 * Messages and services that go-plugin puts beside a provider, as `@tenon/protocol/plugin` has them, for programs whose start counts: their
 * descriptors are made when they are first looked at, and are for reading and writing messages only. Messages are the same.
 *
 * @module
 */
export * from "../gen/lean/plugin/grpc_broker_pb.ts";
export * from "../gen/lean/plugin/grpc_controller_pb.ts";
export * from "../gen/lean/plugin/grpc_stdio_pb.ts";
