// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { encode } from "@tenon/cty/json";
import type { Type } from "@tenon/cty";
import type { Random } from "@tenon/testing/generate";
import type { AttributeDeclaration } from "../declaration.ts";

/**
 * Generates stored state of an old version: attributes missing or removed since, numbers and booleans as text.
 *
 * @param only attributes of that version.
 */
export function recordedJson(
  random: Random,
  state: Value,
  type: Type,
  only: Readonly<Record<string, AttributeDeclaration>> | undefined,
): string {
  const plain = JSON.parse(encode(state, type)) as Record<string, unknown>;
  const kept = Object.entries(plain).filter(([name]) => (only === undefined || Object.hasOwn(only, name)) && !random.chance(0.05));
  const old = kept.map(([name, value]): readonly [string, unknown] => [name, aged(random, value)]);
  const gone = random.chance(0.2) ? [["gone", random.pick<unknown>(["x", 1, null, { a: [1] }])] as const] : [];
  return JSON.stringify(Object.fromEntries([...old, ...gone]));
}

function aged(random: Random, value: unknown): unknown {
  if (typeof value === "number" && random.chance(0.1)) return String(value);
  if (typeof value === "boolean" && random.chance(0.1)) return random.pick([String(value), value ? "1" : "0"]);
  return value;
}
