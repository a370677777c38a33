// SPDX-License-Identifier: Apache-2.0
import type { CompiledProvider } from "./provider.ts";
import type { SchemaRole } from "./names.ts";

/** Where an entry stands, for the rules that depend on what is above it. */
export interface Surroundings {
  readonly role: SchemaRole;
  readonly path: readonly string[];
  readonly atRoot: boolean;
  /** Inside a list, set or map. */
  readonly inCollection: boolean;
  /** Inside a set, or a computed nested attribute: nothing write-only can be here. */
  readonly refusesWriteOnly?: string;
  /** Below a write-only nested attribute: everything has to be. */
  readonly demandsWriteOnly: boolean;
  /** Blocks are only in blocks. */
  readonly inNestedAttribute: boolean;
  /** The provider is served over protocol 5 as well as it says, or alone: that knows no attributes with attributes. */
  readonly refusesNestedAttributes: boolean;
}

/** Where a whole schema begins. */
export function rootOf(role: SchemaRole, protocols: CompiledProvider["protocols"]): Surroundings {
  return {
    role,
    path: [],
    atRoot: true,
    inCollection: false,
    demandsWriteOnly: false,
    inNestedAttribute: false,
    refusesNestedAttributes: protocols?.includes(5) ?? false,
  };
}
