// SPDX-License-Identifier: Apache-2.0
import type { ServerCapabilities } from "@tenon/schema";

/** What every provider on this SDK understands. */
export const serverCapabilities: ServerCapabilities = {
  planDestroy: true,
  getProviderSchemaOptional: true,
  moveResourceState: true,
  generateResourceConfig: true,
};

/** Of a provider that could not be loaded. */
export const noCapabilities: ServerCapabilities = {
  planDestroy: false,
  getProviderSchemaOptional: false,
  moveResourceState: false,
  generateResourceConfig: false,
};
