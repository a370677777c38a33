// SPDX-License-Identifier: Apache-2.0
import type { Case, Json } from "../../cty/notation.ts";
import { randomFor, type Random } from "../../cty/random.ts";
import { pathInto } from "../../cty/generate/value-cases.ts";
import { anyValue, mixed } from "../../cty/generate/values.ts";
import { bodyCase } from "./body.ts";
import { damaged, ExpressionMaker } from "./expression.ts";
import { kindsOfValues, makeScope } from "./scope.ts";
import { typeCase } from "./type-expression.ts";
import { jsonExpressionText } from "./json-source.ts";
import { formatCase } from "../format-cases.ts";
import { jsonSyntaxCase, staticCase, syntaxCase, tokenCase } from "../syntax-cases.ts";

/** A case, and which constructs of the language are in it. */
export interface MadeCase {
  readonly asked: Case;
  readonly constructs: Iterable<string>;
  /** Kinds of the source's nodes, and gaps between its tokens: where layout is what is tried. */
  readonly nodes?: readonly string[];
  readonly gaps?: readonly { readonly sort: string; readonly hasComment: boolean }[];
}

export const areas: Readonly<Record<string, (random: Random) => MadeCase>> = {
  expressions: (random) => expressionCase(random, "native"),
  templates: (random) => expressionCase(random, "template"),
  "json-expressions": (random) => expressionCase(random, "json"),
  access: accessCase,
  bodies: bodyCase,
  types: typeCase,
  tokens: tokenCase,
  syntax: syntaxCase,
  "json-syntax": jsonSyntaxCase,
  static: staticCase,
  reports: reportCase,
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
  return { asked: { op: "evaluate", args: [syntax, source, notation] }, constructs: [...maker.constructs, ...kindsOfValues(notation)] };
}

/** What is told to people of what goes wrong: with the values of variables, those that may be told. */
function reportCase(random: Random): MadeCase {
  const { asked, constructs } = expressionCase(random, random.pick(["native", "native", "template", "json"]));
  return { asked: { op: "diagnostics.text", args: [...asked.args, random.pick([0, 40, 78]), random.chance(0.3)] }, constructs };
}

function accessCase(random: Random): MadeCase {
  const given = anyValue(random, 2, mixed);
  const collection = given as unknown as Json;
  if (random.chance(0.3)) {
    return { asked: { op: "applyPath", args: [collection, pathInto(random, given) as unknown as Json] }, constructs: ["path"] };
  }
  if (random.chance(0.35)) {
    return { asked: { op: "getAttr", args: [collection, random.pick(["a", "b", "name", "foo", "é"])] }, constructs: ["getAttr"] };
  }
  const key = random.chance(0.5) ? anyValue(random, 0, mixed) : { t: "number", v: { n: String(random.int(4)), p: 64 } };
  return { asked: { op: "index", args: [collection, key as unknown as Json] }, constructs: ["index"] };
}
