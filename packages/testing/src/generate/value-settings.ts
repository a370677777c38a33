// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Random } from "./random.ts";

/** What generated values consist of. */
export interface ValueSettings {
  /** Strings, the simplest first. Default: short ones, and some that are written in a special way in HCL, JSON or YAML. */
  readonly texts?: readonly string[];
  /** Numbers as text, the simplest first. */
  readonly numbers?: readonly string[];
  /** Keys of maps. */
  readonly keys?: readonly string[];
  /** Share of null elements in lists and maps. Default: 0, because few providers allow null elements. */
  readonly nullElements?: number;
  /** Share of optional attributes and blocks that are set. Default: 0.6. */
  readonly present?: number;
  /** Share of attributes, repeated blocks and elements of collections that are unknown, in a configuration. Default: 0. */
  readonly unknowns?: number;
  /**
   * Share of attributes and blocks that break the schema, in a configuration: required ones are null, and computed ones are set. Default: 0.
   */
  readonly faults?: number;
  /** Share of elements that a change removes from a list, set or map of blocks or nested attributes, and of lists that it reverses. Default: 0. */
  readonly elementChanges?: number;
  /**
   * Whether elements of a set of blocks or nested attributes may be equal in all required attributes. They may be equal once the provider has
   * filled in defaults, which many providers refuse. Default: false.
   */
  readonly similarElements?: boolean;
  /** Generators of single attributes and blocks, by the names that lead to them: `title`, `layout.paper`. */
  readonly parts?: ReadonlyMap<string, (random: Random) => Value>;
  /** Texts, numbers and keys of single attributes, by the names that lead to them. Default: those above. */
  readonly contents?: ReadonlyMap<string, Pick<ValueSettings, "texts" | "numbers" | "keys">>;
}

/** {@link ValueSettings} with all defaults. */
export type CompleteSettings = Required<ValueSettings>;

const defaults: CompleteSettings = {
  texts: ["a", "b", "ab", "Alpha", "", "yes", "é\u{1f600}", " two\nlines ", "a: b #c"],
  numbers: ["1", "0", "2", "3", "-2", "1.5", "100", "0.1"],
  keys: ["k", "key", "K"],
  nullElements: 0,
  present: 0.6,
  unknowns: 0,
  faults: 0,
  elementChanges: 0,
  similarElements: false,
  parts: new Map(),
  contents: new Map(),
};

/** Adds the defaults. */
export function completeSettings(settings: ValueSettings): CompleteSettings {
  return { ...defaults, ...settings };
}
