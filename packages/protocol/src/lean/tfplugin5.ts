// SPDX-License-Identifier: Apache-2.0
/**
 * Messages and services of the Terraform plugin protocol, version 5, as `@tenon/protocol/tfplugin5` has them, for programs whose start
 * counts: their descriptors are made when they are first looked at, and are for reading and writing messages only. Messages are the same.
 *
 * @module
 */
export * from "../gen/lean/tfplugin5_pb.ts";
