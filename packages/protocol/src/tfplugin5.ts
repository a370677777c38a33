// SPDX-License-Identifier: Apache-2.0
/**
 * Messages and services of the Terraform plugin protocol, version 5.
 *
 * Import this module or `./tfplugin6`, not both: each takes several milliseconds to load.
 *
 * @module
 */
export * from "./gen/tfplugin5_pb.ts";
