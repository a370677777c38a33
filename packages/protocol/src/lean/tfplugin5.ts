// SPDX-License-Identifier: Apache-2.0
/**
 * The messages and services of `@tenon/protocol/tfplugin5` for programs that must start fast: descriptors are created on first use, and do
 * not support reflection. The messages are the same.
 *
 * @module
 */
export * from "../gen/lean/tfplugin5_pb.ts";
