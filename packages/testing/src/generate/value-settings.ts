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
  /** Generators of single attributes and blocks, by the names that lead to them: `title`, `layout.paper`. */
  readonly parts?: ReadonlyMap<string, (random: Random) => Value>;
}

/** {@link ValueSettings} with all defaults. */
export type CompleteSettings = Required<ValueSettings>;

const defaults: CompleteSettings = {
  texts: ["a", "b", "ab", "Alpha", "", "yes", "é\u{1f600}", " two\nlines ", "a: b #c"],
  numbers: ["1", "0", "2", "3", "-2", "1.5", "100", "0.1"],
  keys: ["k", "key", "K"],
  nullElements: 0,
  present: 0.6,
  parts: new Map(),
};

/** Adds the defaults. */
export function completeSettings(settings: ValueSettings): CompleteSettings {
  return { ...defaults, ...settings };
}
