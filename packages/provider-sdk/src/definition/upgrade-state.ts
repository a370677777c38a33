// SPDX-License-Identifier: Apache-2.0
import type { Log } from "../logger.ts";
import type { Awaitable, JsonValue } from "./call-context.ts";
import type { Schema, State, ValidSchema } from "./schema.ts";

/** Context of a state upgrader's `upgrade` handler. */
export interface UpgradeContext<T> {
  readonly state: T;
  readonly signal: AbortSignal;
  readonly warn: (summary: string, detail?: string) => void;
  readonly log: Log;
}

/** Upgrades state from one version to the next: see {@link upgrader}. */
export interface StateUpgrader {
  readonly schema: Schema | undefined;
  readonly upgrade: (context: UpgradeContext<never>) => Awaitable<Readonly<Record<string, unknown>>>;
}

/** State upgraders by the version that they upgrade from. No version between the lowest and the current one may be missing. */
export type StateUpgraders = Readonly<Record<number, StateUpgrader>>;

/**
 * Defines an upgrade from one version of recorded state to the next.
 *
 * If `schema` gives the schema of the older version, `state` is decoded with it, leniently: unknown attributes are ignored. Otherwise
 * `state` is the stored JSON, in which numbers that are not exactly representable as doubles are decimal text. The SDK checks the result of
 * the last upgrader like the result of any handler. It decodes an earlier result with the schema of the next upgrader, if it has one.
 *
 * @example
 * upgrader({
 *   schema: { id: attr.string({ computed: true }), label: attr.string({ optional: true }) },
 *   upgrade: ({ state }) => ({ id: state.id, title: state.label ?? "untitled" }),
 * });
 */
export function upgrader<S extends Schema>(definition: {
  readonly schema: S & ValidSchema<S>;
  readonly upgrade: (context: UpgradeContext<State<S>>) => Awaitable<Readonly<Record<string, unknown>>>;
}): StateUpgrader;
export function upgrader(definition: {
  readonly upgrade: (context: UpgradeContext<Readonly<Record<string, JsonValue>>>) => Awaitable<Readonly<Record<string, unknown>>>;
}): StateUpgrader;
export function upgrader(definition: { readonly schema?: Schema; readonly upgrade: StateUpgrader["upgrade"] }): StateUpgrader {
  return { schema: definition.schema, upgrade: definition.upgrade };
}
