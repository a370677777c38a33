// SPDX-License-Identifier: Apache-2.0
/**
 * Messages and services of the Terraform plugin protocol, version 6, as `@tenon/protocol/tfplugin6` has them, for programs whose start
 * counts: their descriptors are made when they are first looked at, and are for reading and writing messages only. Messages are the same.
 *
 * @module
 */
export * from "../gen/lean/tfplugin6_pb.ts";
