// SPDX-License-Identifier: Apache-2.0
import type { Random } from "@tenon/testing/generate";
import { basicKinds, type Kind } from "./kind.ts";

/** Chooses a type: a basic one more often than a collection or an object. */
export function anyKind(random: Random): Kind {
  const basic = random.pick(basicKinds);
  return random.weighted<Kind>([
    [5, basic],
    [1, { list: basic }],
    [1, { set: basic }],
    [1, { map: basic }],
    [1, { object: { name: "string", size: "number", tags: { map: "string" } }, optional: ["size"] }],
  ]);
}

/** A value without references and functions. */
export function staticText(random: Random, kind: Kind): string {
  if (kind === "string") return JSON.stringify(random.pick(["one", "two", "three", "fünf", ""]));
  if (kind === "number") return random.pick(["0", "1", "2.5", "-3", "1000000"]);
  if (kind === "bool") return random.pick(["true", "false"]);
  if ("list" in kind) return `[${random.times(random.int(4), () => staticText(random, kind.list)).join(", ")}]`;
  if ("set" in kind) return `[${random.times(random.int(4), () => staticText(random, kind.set)).join(", ")}]`;
  if ("map" in kind) {
    const names = ["a", "b", "c"].filter(() => random.chance(0.5));
    return `{ ${names.map((name) => `${name} = ${staticText(random, kind.map)}`).join(", ")} }`;
  }
  return `{ ${Object.entries(kind.object)
    .map(([name, one]) => `${name} = ${staticText(random, one)}`)
    .join(", ")} }`;
}
