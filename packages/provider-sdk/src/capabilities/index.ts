// SPDX-License-Identifier: Apache-2.0
/**
 * Bundles of configuration, validation and client behaviour that more than one provider uses: authentication, caching, retry.
 *
 * @module
 */
export { defineCapability, type Capability, type CapabilityDefinition, type ConnectContext, type UnknownConfig } from "./capability.ts";
export {
  withCapabilities,
  type AnyCapability,
  type CompatibleCapabilities,
  type CapableProviderDeclaration,
  type ProvidedMembers,
  type CombinedSchema,
} from "./with-capabilities.ts";
