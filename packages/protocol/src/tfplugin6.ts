// SPDX-License-Identifier: Apache-2.0
/**
 * Messages and services of the Terraform plugin protocol, version 6.
 *
 * Load this or `./tfplugin5`, not both: each descriptor costs start-up time.
 *
 * @module
 */
export * from "./gen/tfplugin6_pb.ts";
