// SPDX-License-Identifier: Apache-2.0
import type { ServerCapabilities } from "@tenon/schema";

/** Capabilities of every provider that is built with this SDK. */
export const serverCapabilities: ServerCapabilities = {
  planDestroy: true,
  getProviderSchemaOptional: true,
  moveResourceState: true,
  generateResourceConfig: true,
};

/** Capabilities of a provider that could not be loaded. */
export const noCapabilities: ServerCapabilities = {
  planDestroy: false,
  getProviderSchemaOptional: false,
  moveResourceState: false,
  generateResourceConfig: false,
};
