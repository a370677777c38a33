// SPDX-License-Identifier: Apache-2.0
import type { Schema, Sound, Views } from "./schema.ts";

/** What the module that a resource or data source is in says to the provider: see {@link moduleMeta}. */
export interface SaidMeta {
  /** For {@link ModuleMeta.read}. */
  readonly "~meta": () => unknown;
}

/** What modules may say to a provider in a `provider_meta` block. */
export interface ModuleMeta<S extends Schema> {
  readonly schema: S;
  /** What was said, which may be unknown; null where nothing was. */
  readonly read: (meta: SaidMeta) => Views<S>["configDraft"] | null;
}

/**
 * What modules may say to a provider: given to `defineProvider`, and read in the handlers that are handed a `meta`. Made for the
 * authors of modules, such as to count who uses them; OpenTofu considers to do without it.
 *
 * @example
 * const usage = moduleMeta({ module: attr.string({ optional: true }) });
 * // defineProvider({ meta: usage, … }), and in a handler: usage.read(meta)?.module
 */
export function moduleMeta<S extends Schema>(schema: S & Sound<S>): ModuleMeta<S> {
  return { schema, read: (meta) => meta["~meta"]() as Views<S>["configDraft"] | null };
}
