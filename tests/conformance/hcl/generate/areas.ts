// SPDX-License-Identifier: Apache-2.0
import type { Case, Json } from "../../cty/notation.ts";
import { randomFor, type Random } from "@tenon/testing/generate";
import { pathInto } from "../../cty/generate/value-cases.ts";
import { anyValue, mixed } from "../../cty/generate/values.ts";
import { bodyCase } from "./body.ts";
import { damaged, ExpressionMaker } from "./expression.ts";
import { kindsOfValues, makeScope } from "./scope.ts";
import { typeCase } from "./type-expression.ts";
import { jsonExpressionText } from "./json-source.ts";
import { formatCase } from "../format-cases.ts";
import { jsonSyntaxCase, staticCase, syntaxCase, tokenCase } from "../syntax-cases.ts";

/** A case, and the constructs of the language that it contains. */
export interface MadeCase {
  readonly input: Case;
  readonly constructs: Iterable<string>;
  /** Kinds of the source's nodes, and gaps between its tokens; only in cases of the formatter. */
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

/** The case of an area with this seed and index; every call returns the same one. */
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
  return { input: { op: "evaluate", args: [syntax, source, notation] }, constructs: [...maker.constructs, ...kindsOfValues(notation)] };
}

/** A case for the text of diagnostics, with the values of variables that are not sensitive. */
function reportCase(random: Random): MadeCase {
  const { input, constructs } = expressionCase(random, random.pick(["native", "native", "template", "json"]));
  return { input: { op: "diagnostics.text", args: [...input.args, random.pick([0, 40, 78]), random.chance(0.3)] }, constructs };
}

function accessCase(random: Random): MadeCase {
  const given = anyValue(random, 2, mixed);
  const collection = given as unknown as Json;
  if (random.chance(0.3)) {
    return { input: { op: "applyPath", args: [collection, pathInto(random, given) as unknown as Json] }, constructs: ["path"] };
  }
  if (random.chance(0.35)) {
    return { input: { op: "getAttr", args: [collection, random.pick(["a", "b", "name", "foo", "é"])] }, constructs: ["getAttr"] };
  }
  const key = random.chance(0.5) ? anyValue(random, 0, mixed) : { t: "number", v: { n: String(random.int(4)), p: 64 } };
  return { input: { op: "index", args: [collection, key as unknown as Json] }, constructs: ["index"] };
}
