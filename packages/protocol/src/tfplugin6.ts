// SPDX-License-Identifier: Apache-2.0
/**
 * Messages and services of the Terraform plugin protocol, version 6.
 *
 * Import this module or `./tfplugin5`, not both: each takes several milliseconds to load.
 *
 * @module
 */
export * from "./gen/tfplugin6_pb.ts";
