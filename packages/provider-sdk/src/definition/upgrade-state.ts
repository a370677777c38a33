// SPDX-License-Identifier: Apache-2.0
import type { Log } from "../logger.ts";
import type { Awaitable, JsonValue } from "./call-context.ts";
import type { Schema, Sound, State } from "./schema.ts";

/** State of one version, to be made into that of the next. */
export interface UpgradeContext<T> {
  readonly state: T;
  readonly signal: AbortSignal;
  readonly warn: (summary: string, detail?: string) => void;
  readonly log: Log;
}

/** Makes state of one version into that of the next: see {@link upgrader}. */
export interface StateUpgrader {
  readonly schema: Schema | undefined;
  readonly upgrade: (context: UpgradeContext<never>) => Awaitable<Readonly<Record<string, unknown>>>;
}

/** By the version they upgrade from. No version between the lowest and the current one may be missing. */
export type StateUpgraders = Readonly<Record<number, StateUpgrader>>;

/**
 * An upgrade from one version of recorded state to the next.
 *
 * With the `schema` of the version it upgrades from, `state` is read by it, leniently: attributes it does not have are left
 * out. Without, `state` is the JSON as it was stored, where numbers that no double holds are decimal text. The last upgrader's
 * answer is checked as any handler's; one before it is read by the schema of the next, where that has one.
 *
 * @example
 * upgrader({
 *   schema: { id: attr.string({ computed: true }), label: attr.string({ optional: true }) },
 *   upgrade: ({ state }) => ({ id: state.id, title: state.label ?? "untitled" }),
 * });
 */
export function upgrader<S extends Schema>(definition: {
  readonly schema: S & Sound<S>;
  readonly upgrade: (context: UpgradeContext<State<S>>) => Awaitable<Readonly<Record<string, unknown>>>;
}): StateUpgrader;
export function upgrader(definition: {
  readonly upgrade: (context: UpgradeContext<Readonly<Record<string, JsonValue>>>) => Awaitable<Readonly<Record<string, unknown>>>;
}): StateUpgrader;
export function upgrader(definition: { readonly schema?: Schema; readonly upgrade: StateUpgrader["upgrade"] }): StateUpgrader {
  return { schema: definition.schema, upgrade: definition.upgrade };
}
