// SPDX-License-Identifier: Apache-2.0
import type { Case, Json } from "../../cty/notation.ts";
import { randomFor, type Random } from "../../cty/random.ts";
import { anyValue, mixed } from "../../cty/generate/values.ts";
import { bodyCase } from "./body.ts";
import { damaged, ExpressionMaker } from "./expression.ts";
import { makeScope } from "./scope.ts";
import { typeCase } from "./type-expression.ts";
import { jsonExpressionText } from "./json-source.ts";
import { formatCase } from "../format-cases.ts";
import { jsonSyntaxCase, staticCase, syntaxCase } from "../syntax-cases.ts";

/** A case, and which constructs of the language are in it. */
export interface MadeCase {
  readonly asked: Case;
  readonly constructs: Iterable<string>;
}

export const areas: Readonly<Record<string, (random: Random) => MadeCase>> = {
  expressions: (random) => expressionCase(random, "native"),
  templates: (random) => expressionCase(random, "template"),
  "json-expressions": (random) => expressionCase(random, "json"),
  access: accessCase,
  bodies: bodyCase,
  types: typeCase,
  syntax: syntaxCase,
  "json-syntax": jsonSyntaxCase,
  static: staticCase,
  format: formatCase,
};

/** Case so-and-so of an area: the same whenever it is made. */
export function makeCase(area: string, seed: number, index: number): MadeCase {
  return areas[area]!(randomFor(seed, area, index));
}

function expressionCase(random: Random, syntax: "native" | "template" | "json"): MadeCase {
  const { notation, variables } = makeScope(random);
  const maker = new ExpressionMaker(random, variables, 1 + random.int(14));
  let source = syntax === "native" ? maker.expression() : syntax === "template" ? maker.template() : jsonExpressionText(random, maker);
  if (random.chance(0.06)) {
    maker.constructs.add("damaged");
    source = damaged(random, source);
  }
  if (syntax === "native" && /<<-?EOT/.test(source)) source += "\n";
  return { asked: { op: "evaluate", args: [syntax, source, notation] }, constructs: [...maker.constructs] };
}

function accessCase(random: Random): MadeCase {
  const collection = anyValue(random, 2, mixed) as unknown as Json;
  if (random.chance(0.35)) {
    return { asked: { op: "getAttr", args: [collection, random.pick(["a", "b", "name", "foo", "é"])] }, constructs: ["getAttr"] };
  }
  const key = random.chance(0.5) ? anyValue(random, 0, mixed) : { t: "number", v: { n: String(random.int(4)), p: 64 } };
  return { asked: { op: "index", args: [collection, key as unknown as Json] }, constructs: ["index"] };
}
