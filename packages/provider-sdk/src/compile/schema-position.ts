// SPDX-License-Identifier: Apache-2.0
import type { SchemaRole } from "./names.ts";

/** Position of an entry in a schema, for checks that depend on its ancestors. */
export interface SchemaPosition {
  readonly role: SchemaRole;
  readonly path: readonly string[];
  readonly atRoot: boolean;
  /** Whether it is inside a list, set or map. */
  readonly inCollection: boolean;
  /** The ancestor that forbids write-only attributes, in words: a set, or a nested attribute that is computed or has a default. */
  readonly refusesWriteOnly?: string;
  /** Whether it is inside a write-only nested attribute, where every attribute must be write-only. */
  readonly demandsWriteOnly: boolean;
  /** Whether it is inside a nested attribute, where no block can be. */
  readonly inNestedAttribute: boolean;
  /** Whether the provider must support protocol 5, which has no nested attributes. */
  readonly refusesNestedAttributes: boolean;
}

/** Position of the root of a schema. */
export function rootPosition(role: SchemaRole, protocols: readonly (5 | 6)[] | undefined): SchemaPosition {
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
