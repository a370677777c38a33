// SPDX-License-Identifier: Apache-2.0
// Names, texts and numbers of random resource types and objects that the API server may treat in a special way.
import { dynamic, list, map, number, object, string, tuple } from "@tenon/cty";
import type { Schema } from "@tenon/schema";
import { generateSchema, type Random, type SchemaSettings, type ValueSettings } from "@tenon/testing/generate";

const plainNames = "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima rule part unit".split(" ");

/** Names that are reserved somewhere, that no rule can select, or that have the same field name as another. */
const unusualNames: readonly string[] = [
  ..."in true null namespace for import self has int matches kind metadata api_version status spec name password_secret_ref".split(" "),
  ..."3x x_1 x1 a_b a__b aB A_B _x x_ a-b constructor __proto__ to_string n.m".split(" "),
];

/** Names that occur more than once are chosen more often. */
const names: readonly string[] = [...Array.from({ length: 12 }, () => plainNames).flat(), ...unusualNames];

const schemaSettings: SchemaSettings = {
  names,
  descriptions: ["", "One sentence. Another one.", "- yes\n- no", "`code`: #1", "Some: text — with “characters”.\n\nAnd more."],
  depth: 3,
  attributeCount: [3, 9],
  types: [
    tuple(string, number),
    list(tuple(string)),
    list(object({ a_b: string, a__b: number })),
    map(list(map(string))),
    object({ any: dynamic }),
    dynamic,
  ],
};

/** Generates the schemas of resource types by name. */
export function unusualSchemas(random: Random, count: number): ReadonlyMap<string, Schema> {
  return new Map(random.times(count, (index) => [`made_r${index}`, generateSchema(random, schemaSettings)]));
}

/** Numbers that the API server keeps exactly, and, less often, some that it does not. */
const exactNumbers = "0 1 -2 1.5 0.1 3.14159 1e21 1e300 9007199254740993 9223372036854775807 -9223372036854775808".split(" ");
const inexactNumbers = ["12345678901234567890", "3.00000000000000000001", "1e400"];

/** Content of objects. */
export const unusualValues: ValueSettings = {
  texts: ["a", "", "yes", "null", "1_000", "0x1f", "é\u{1f600}", " two\nlines ", "*", "-", "a: b #c"],
  numbers: [...Array.from({ length: 8 }, () => exactNumbers).flat(), ...inexactNumbers],
  keys: ["k", "a.b/c", "é", "", "__proto__"],
  nullElements: 0.05,
  similarElements: true,
};
