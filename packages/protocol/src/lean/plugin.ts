// SPDX-License-Identifier: Apache-2.0
/**
 * The messages and services of `@tenon/protocol/plugin` for programs that must start fast: descriptors are created on first use, and do
 * not support reflection. The messages are the same.
 *
 * @module
 */
export * from "../gen/lean/plugin/grpc_broker_pb.ts";
export * from "../gen/lean/plugin/grpc_controller_pb.ts";
export * from "../gen/lean/plugin/grpc_stdio_pb.ts";
