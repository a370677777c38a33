// SPDX-License-Identifier: Apache-2.0
import type { Schema, ValidSchema, Views } from "./schema.ts";

/** The `provider_meta` of the module that contains a resource or data source: see {@link moduleMeta}. */
export interface ProviderMeta {
  /** For {@link ModuleMeta.read}. */
  readonly "~meta": () => unknown;
}

/** The schema of the `provider_meta` block, and its reader. */
export interface ModuleMeta<S extends Schema> {
  readonly schema: S;
  /** Returns the content of the module's `provider_meta` block, in which values may be unknown; null if the module has none. */
  readonly read: (meta: ProviderMeta) => Views<S>["configDraft"] | null;
}

/**
 * Defines the schema of the `provider_meta` block, through which the authors of modules send data to a provider, for example to count
 * the uses of a module. Pass the result to `defineProvider`, and read the block in handlers whose context has a `meta`. OpenTofu
 * considers removing the feature.
 *
 * @example
 * const usage = moduleMeta({ module: attr.string({ optional: true }) });
 * // defineProvider({ meta: usage, … }), and in a handler: usage.read(meta)?.module
 */
export function moduleMeta<S extends Schema>(schema: S & ValidSchema<S>): ModuleMeta<S> {
  return { schema, read: (meta) => meta["~meta"]() as Views<S>["configDraft"] | null };
}
