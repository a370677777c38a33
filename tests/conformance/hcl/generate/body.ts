// SPDX-License-Identifier: Apache-2.0
import type { Json, TypeNotation } from "../../cty/notation.ts";
import type { Random } from "@tenon/testing/generate";
import { anyType } from "../../cty/generate/types.ts";
import { valueOfType } from "../../cty/generate/values.ts";
import type { MadeCase } from "./areas.ts";
import { damaged, ExpressionMaker } from "./expression.ts";
import { kindsOfValues, makeScope } from "./scope.ts";

type SpecNotation = Readonly<Record<string, Json>>;

/** A generated body, independent of the syntax (native or JSON). */
interface MadeBody {
  readonly attributes: readonly (readonly [name: string, expression: string])[];
  readonly blocks: readonly { readonly type: string; readonly labels: readonly string[]; readonly body: MadeBody }[];
}

const attributeNames: readonly string[] = ["name", "size", "flag", "tags", "extra", "n1"];
const blockTypes: readonly string[] = ["rule", "server", "meta"];
const labelTexts: readonly string[] = ["a", "b", "web", "x y", "ü"];

/** A case with a body, and a schema or spec to decode it with, which matches the body in most cases. */
export function bodyCase(random: Random): MadeCase {
  const { notation: scope, variables } = makeScope(random);
  const maker = new ExpressionMaker(random, variables, 3 + random.int(12));
  const { constructs } = maker;
  for (const kind of kindsOfValues(scope)) constructs.add(kind);
  const syntax = random.chance(0.75) ? "native" : "json";
  constructs.add(`${syntax} body`);
  const dynamic = random.chance(0.4);
  const spec = makeSpec(random, 2, constructs);
  const write = (): string => {
    const text =
      syntax === "native" ? nativeText(makeBody(random, spec, maker, dynamic)) : jsonText(random, makeBody(random, spec, maker, dynamic));
    return random.chance(0.04) ? damaged(random, text) : text;
  };
  const op = random.weighted<string>([
    [dynamic ? 0 : 6, "decode"],
    [dynamic ? 5 : 0, "decode.dynamic"],
    [1, "decode.partial"],
    [dynamic ? 1 : 0, "expandedContent"],
    [1, "decode.about"],
    [1, "content"],
    [1, "mergedContent"],
    [1, "justAttributes"],
    [1, "mergedAttributes"],
  ]);
  constructs.add(op);
  switch (op) {
    case "justAttributes":
      return { input: { op, args: [syntax, write()] }, constructs };
    case "content":
      return { input: { op, args: [syntax, write(), makeSchemas(random)] }, constructs };
    case "expandedContent":
      return { input: { op, args: [syntax, write(), makeSchemas(random), scope] }, constructs };
    case "mergedAttributes":
      return { input: { op, args: [random.times(1 + random.int(3), () => [syntax, write()])] }, constructs };
    case "mergedContent":
      return { input: { op, args: [random.times(1 + random.int(3), () => [syntax, write()]), makeSchemas(random)] }, constructs };
    case "decode.about":
      return { input: { op, args: [syntax, write(), spec] }, constructs };
    default:
      return { input: { op, args: [syntax, write(), spec, scope] }, constructs };
  }
}

function makeSchemas(random: Random): Json {
  return random.times(1 + random.int(3), () => ({
    attributes: attributeNames.filter(() => random.chance(0.4)).map((name) => ({ name, required: random.chance(0.3) })),
    blocks: blockTypes.filter(() => random.chance(0.5)).map((type) => ({ type, labels: ["kind", "name"].slice(0, random.int(3)) })),
  }));
}

function makeSpec(random: Random, depth: number, constructs: Set<string>): SpecNotation {
  const specs: Record<string, Json> = {};
  for (const name of attributeNames) if (random.chance(0.4)) specs[name] = attributeSpec(random, name, constructs);
  if (depth > 0) for (const type of blockTypes) if (random.chance(0.45)) specs[type] = blockSpec(random, type, depth, constructs);
  if (random.chance(0.05)) specs["fixed"] = literalSpec(constructs);
  const isTuple = random.chance(0.06);
  constructs.add(isTuple ? "spec tuple" : "spec object");
  if (isTuple) return { kind: "tuple", specs: Object.values(specs) };
  return { kind: "object", specs };
}

function literalSpec(constructs: Set<string>): SpecNotation {
  constructs.add("spec literal");
  return { kind: "literal", value: { t: "string", v: "fixed" } };
}

function specType(random: Random): TypeNotation {
  return random.weighted<() => TypeNotation>([
    [3, () => "string"],
    [2, () => "number"],
    [1, () => "bool"],
    [2, () => "dynamic"],
    [1, () => ["list", "string"]],
    [1, () => ["map", "string"]],
    [2, () => anyType(random, 1, { dynamic: true, optional: true })],
  ])();
}

function attributeSpec(random: Random, name: string, constructs: Set<string>): SpecNotation {
  const type = specType(random);
  const attribute: SpecNotation = { kind: "attribute", name, type, required: random.chance(0.3) };
  const wrapped = random.weighted<() => SpecNotation>([
    [14, () => attribute],
    [
      2,
      () => ({
        kind: "default",
        primary: { ...attribute, required: false },
        default: {
          kind: "literal",
          value: valueOfType(random, JSON.stringify(type).includes('"dynamic"') ? "string" : withoutOptionals(type), {}) as unknown as Json,
        },
      }),
    ],
    [
      1,
      () => ({
        kind: "transformExpression",
        wrapped: attribute,
        source: random.pick(["v", "[v, v]", "upper(v)", "v == null", '"<${v}>"']),
        variable: "v",
      }),
    ],
    [1, () => ({ kind: "transformFunction", wrapped: attribute, function: random.pick(["jsonencode", "upper", "length"]) })],
    // With this refinement, a null value is an error of the spec.
    [
      1,
      () => ({
        kind: "refine",
        wrapped: {
          kind: "default",
          primary: { ...attribute, type: "string", required: false },
          default: { kind: "literal", value: { t: "string", v: "d" } },
        },
        refinements: { null: false },
      }),
    ],
    [1, () => ({ kind: "validate", wrapped: attribute, summary: "Not set", detail: "It must be set." })],
    [1, () => ({ kind: "expression", source: random.pick(["1 + 1", "n", "nope", '"${s}-x"']) })],
  ])();
  constructs.add(`spec ${wrapped["kind"] as string}`);
  return wrapped;
}

function withoutOptionals(type: TypeNotation): TypeNotation {
  if (!Array.isArray(type)) return type;
  const [kind, inner] = type as unknown as readonly [string, Json];
  if (kind === "object")
    return [kind, Object.fromEntries(Object.entries(inner as Record<string, Json>).map(([name, one]) => [name, withoutOptionals(one)]))];
  if (kind === "tuple") return [kind, (inner as readonly Json[]).map(withoutOptionals)];
  return [kind, withoutOptionals(inner)];
}

function blockSpec(random: Random, type: string, depth: number, constructs: Set<string>): SpecNotation {
  const kind = random.pick(["block", "blockList", "blockSet", "blockTuple", "blockMap", "blockObject", "blockAttributes"]);
  constructs.add(`spec ${kind}`);
  if (kind === "blockAttributes") {
    return { kind, type, elementType: random.pick<Json>(["string", "number", ["list", "string"]]), required: random.chance(0.3) };
  }
  const nested = withLabels(random, makeSpec(random, depth - 1, constructs), constructs);
  switch (kind) {
    case "block":
      return { kind, type, nested, required: random.chance(0.3) };
    case "blockMap":
    case "blockObject":
      return {
        kind,
        type,
        nested: kind === "blockMap" ? withoutDynamic(nested) : nested,
        labels: ["key", "inner"].slice(0, 1 + random.int(2)),
      };
    default:
      return { kind, type, nested, min: random.chance(0.2) ? random.int(3) : 0, max: random.chance(0.2) ? 1 + random.int(2) : 0 };
  }
}

function withLabels(random: Random, spec: SpecNotation, constructs: Set<string>): SpecNotation {
  if (spec["kind"] !== "object" || !random.chance(0.25)) return spec;
  constructs.add("spec blockLabel");
  return { kind: "object", specs: { ...(spec["specs"] as SpecNotation), label: { kind: "blockLabel", index: 0, name: "name" } } };
}

/** The same spec with strings in place of dynamic types, which the elements of a map may not have. */
function withoutDynamic(spec: SpecNotation): SpecNotation {
  const text = JSON.stringify(spec).replaceAll('"dynamic"', '"string"');
  const fixed = JSON.parse(text) as SpecNotation;
  return deeply(fixed, (one) => {
    if (one["kind"] === "blockTuple") return { ...one, kind: "blockList" };
    if (one["kind"] === "blockObject") return { ...one, kind: "blockMap" };
    if (one["kind"] === "transformExpression" || one["kind"] === "transformFunction") return one["wrapped"] as SpecNotation;
    return one["kind"] === "expression" ? { kind: "literal", value: { t: "string", v: "x" } } : one;
  });
}

function deeply(spec: SpecNotation, change: (one: SpecNotation) => SpecNotation): SpecNotation {
  const parts = Object.entries(spec).map(([name, part]): [string, Json] => {
    if (name === "nested" || name === "wrapped" || name === "primary" || name === "default")
      return [name, deeply(part as SpecNotation, change)];
    if (name !== "specs") return [name, part];
    if (Array.isArray(part)) return [name, part.map((one) => deeply(one as SpecNotation, change))];
    return [name, Object.fromEntries(Object.entries(part as SpecNotation).map(([key, one]) => [key, deeply(one as SpecNotation, change)]))];
  });
  return change(Object.fromEntries(parts));
}

/** The specs of attributes and blocks in a spec, without their wrappers. */
function partsOf(spec: SpecNotation): readonly SpecNotation[] {
  switch (spec["kind"]) {
    case "object":
      return Object.values(spec["specs"] as SpecNotation).flatMap((one) => partsOf(one as SpecNotation));
    case "tuple":
      return (spec["specs"] as readonly SpecNotation[]).flatMap(partsOf);
    case "default":
      return partsOf(spec["primary"] as SpecNotation);
    default:
      return "wrapped" in spec ? partsOf(spec["wrapped"] as SpecNotation) : [spec];
  }
}

const wantOf = (type: Json | undefined): "string" | "number" | "bool" | "sequence" | "mapping" | "any" =>
  type === "string" || type === "number" || type === "bool"
    ? type
    : !Array.isArray(type)
      ? "any"
      : type[0] === "map" || type[0] === "object"
        ? "mapping"
        : "sequence";

function makeBody(random: Random, spec: SpecNotation, maker: ExpressionMaker, dynamic: boolean): MadeBody {
  const attributes: (readonly [string, string])[] = [];
  const blocks: MadeBody["blocks"][number][] = [];
  for (const part of partsOf(spec)) {
    if (part["kind"] === "attribute" && random.chance(0.85)) {
      const name = random.chance(0.04) ? `${part["name"] as string}x` : (part["name"] as string);
      attributes.push([name, maker.expression(wantOf(part["type"]))]);
    } else if (typeof part["type"] === "string" && part["kind"] !== "attribute") {
      const count = random.weighted([
        [2, 0],
        [4, 1],
        [3, 2],
        [1, 3],
      ]);
      for (let left = count; left > 0; left--) blocks.push(makeBlock(random, part, maker, dynamic));
    }
  }
  if (random.chance(0.05)) attributes.push([random.pick([...attributeNames, "quite_other", "rule"]), maker.expression()]);
  if (random.chance(0.05))
    blocks.push({ type: random.pick([...blockTypes, "rul", "name"]), labels: [], body: { attributes: [], blocks: [] } });
  const seen = new Set<string>();
  return { attributes: attributes.filter(([name]) => !seen.has(name) && seen.add(name)), blocks };
}

function makeBlock(random: Random, spec: SpecNotation, maker: ExpressionMaker, dynamic: boolean): MadeBody["blocks"][number] {
  const type = random.chance(0.04) ? `${spec["type"] as string}s` : (spec["type"] as string);
  const own = spec["nested"] as SpecNotation | undefined;
  const hasLabel = own?.["kind"] === "object" && "label" in (own["specs"] as SpecNotation);
  let labelCount = ((spec["labels"] as readonly string[] | undefined)?.length ?? 0) + (hasLabel ? 1 : 0);
  if (random.chance(0.06)) labelCount = Math.max(0, labelCount + random.pick([-1, 1]));
  const nested: MadeBody =
    own === undefined
      ? {
          attributes: attributeNames.filter(() => random.chance(0.4)).map((name) => [name, maker.expression(wantOf(spec["elementType"]))]),
          blocks: [],
        }
      : makeBody(random, own, maker, dynamic);
  if (!dynamic || !random.chance(0.6)) return { type, labels: random.times(labelCount, () => random.pick(labelTexts)), body: nested };
  return dynamicBlock(random, type, labelCount, nested, maker);
}

function dynamicBlock(
  random: Random,
  type: string,
  labelCount: number,
  content: MadeBody,
  maker: ExpressionMaker,
): MadeBody["blocks"][number] {
  maker.constructs.add("dynamic block");
  const iterator = random.chance(0.3) ? random.pick(["it", "each"]) : type;
  const attributes: (readonly [string, string])[] = [];
  if (random.chance(0.97))
    attributes.push(["for_each", maker.expression(random.chance(0.5) ? "sequence" : random.chance(0.8) ? "mapping" : "any")]);
  if (iterator !== type) attributes.push(["iterator", random.chance(0.9) ? iterator : random.pick(["a.b", '"x"', "1"])]);
  if (labelCount > 0 || random.chance(0.03)) {
    const label = (): string => random.pick([`${iterator}.key`, '"fixed"', `"l-\${${iterator}.value}"`, `${iterator}.value`, "nope"]);
    attributes.push(["labels", random.chance(0.95) ? `[${random.times(labelCount, label).join(", ")}]` : "label"]);
  }
  const using: MadeBody = {
    ...content,
    attributes: content.attributes.map(([name, expression]) => [
      name,
      random.chance(0.4)
        ? random.pick([`${iterator}.value`, `${iterator}.key`, `"\${${iterator}.key}"`, `${iterator}.value.name`])
        : expression,
    ]),
  };
  const blocks = [{ type: "content", labels: [], body: using }];
  if (random.chance(0.04)) blocks.push(blocks[0]!);
  return { type: "dynamic", labels: [type], body: { attributes, blocks: random.chance(0.97) ? blocks : [] } };
}

function nativeText(body: MadeBody, indent: string = ""): string {
  const attributes = body.attributes.map(([name, expression]) => `${indent}${name} = ${expression}\n`);
  const blocks = body.blocks.map(({ type, labels, body: inner }) => {
    const quoted = labels.map((label) => ` ${JSON.stringify(label)}`).join("");
    return `${indent}${type}${quoted} {\n${nativeText(inner, `${indent}  `)}${indent}}\n`;
  });
  return [...attributes, ...blocks].join("");
}

function jsonText(random: Random, body: MadeBody): string {
  const members = body.attributes.map(([name, expression]) => `${JSON.stringify(name)}: ${jsonAttribute(random, name, expression)}`);
  for (const { type, labels, body: inner } of body.blocks) {
    let text = random.chance(0.2) ? `[${jsonText(random, inner)}]` : jsonText(random, inner);
    if (random.chance(0.03)) text = random.pick(["null", "[]", '"x"', "1", `[${text}, null]`]);
    for (const label of [...labels].reverse())
      text = random.chance(0.1) ? `[{${JSON.stringify(label)}: ${text}}]` : `{${JSON.stringify(label)}: ${text}}`;
    members.push(`${JSON.stringify(type)}: ${text}`);
  }
  if (random.chance(0.05)) members.push('"//": "comment"');
  return `{${members.join(", ")}}`;
}

function jsonAttribute(random: Random, name: string, expression: string): string {
  if (name === "iterator") return JSON.stringify(expression);
  if (name === "labels")
    return expression.startsWith("[")
      ? `[${expression
          .slice(1, -1)
          .split(", ")
          .filter(Boolean)
          .map((one) => JSON.stringify(`\${${one}}`))
          .join(", ")}]`
      : '"x"';
  if (random.chance(0.2)) return random.pick(["1", "true", "null", "[1, 2]", '["a", "b"]', '{"a": "x"}']);
  return JSON.stringify(`\${${expression}${expression.includes("<<") ? "\n" : ""}}`);
}
