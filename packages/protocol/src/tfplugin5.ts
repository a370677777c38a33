// SPDX-License-Identifier: Apache-2.0
/**
 * Messages and services of the Terraform plugin protocol, version 5.
 *
 * Load this or `./tfplugin6`, not both: each descriptor costs start-up time.
 *
 * @module
 */
export * from "./gen/tfplugin5_pb.ts";
