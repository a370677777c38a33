// SPDX-License-Identifier: Apache-2.0
import { bool, nullOf, number, of, string, type Type, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { hasErrors, type Attribute, type Block, type Diagnostic } from "@tenon/schema";
import { validateConfig, type ResourceType } from "@tenon/schema/lifecycle";
import { generateBlock } from "../generate/block-value.ts";
import { mapBlock, namesOnPath } from "../generate/body.ts";
import { createRandom, type Random } from "../generate/random.ts";
import type { ValueSettings } from "../generate/value-settings.ts";

/** Generators of values that a provider accepts, by the names that lead to the attribute. */
export type AcceptedValues = ReadonlyMap<string, (random: Random) => Value>;

/** Texts in the formats that validators usually ask for. */
const commonTexts: readonly string[] = [
  "abc",
  "a-b",
  "2030-01-02T03:04:05Z",
  "2030-01-02",
  "1h",
  "60s",
  "10.0.0.1",
  "10.0.0.0/24",
  "example.com",
  "https://example.com/",
  "user@example.com",
  "{}",
  "[]",
  "/tmp",
  "1",
  "1.0.0",
  "true",
  "00000000-0000-4000-8000-000000000000",
  "dGVzdA==",
  "abcdefghijklmnop",
];
const commonNumbers: readonly string[] = ["1", "2", "5", "10", "60", "443", "1000", "65536", "0", "-1", "0.5"];
const rounds = 24;

/**
 * Finds values of the attributes whose generated values a provider refuses. Validation says which attribute is wrong; the candidates are the values
 * that its messages and the descriptions quote, and texts in common formats. An optional attribute for which none is accepted is not set.
 */
export async function findAcceptedValues(type: ResourceType, settings: ValueSettings): Promise<AcceptedValues> {
  const { block } = type.schema;
  const accepted = new Map(settings.parts);
  const given = new Set(accepted.keys());
  const tried = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const random = createRandom(round);
    // Few optional parts first: fewer of them contradict each other.
    const present = [0, 1, 0.3, 0.6][round % 4]!;
    const config = generateBlock(random, block, "configuration", { ...settings, parts: accepted, present });
    const diagnostics = await validateConfig(type, config);
    for (const { attribute, ...diagnostic } of diagnostics) {
      if (diagnostic.severity !== "error" || attribute === undefined) continue;
      for (const { at, attribute: wrong, valueType } of primitivesAt(block, config, namesOnPath(attribute))) {
        if (tried.has(at) || given.has(at)) continue;
        tried.add(at);
        const values = await acceptedCandidates(type, config, at, candidates(wrong, valueType, diagnostics, block));
        if (values.length > 0) accepted.set(at, (source) => source.pick(values));
        // An attribute that the provider does not let the configuration set, whatever its schema says.
        else if (!wrong.required) accepted.set(at, () => nullOf(valueType));
      }
    }
    if (!hasErrors(diagnostics) && round >= 8) break;
  }
  return accepted;
}

interface Primitive {
  readonly at: string;
  readonly attribute: Attribute;
  readonly valueType: Type;
}

/** The attributes with primitive values, or collections of those, at or below names on a path. */
function primitivesAt(block: Block, config: Value, names: string): readonly Primitive[] {
  const found = new Map<string, Primitive>();
  mapBlock(block, config, ({ attribute, at, type }, value, inside) => {
    const isWithin = at === names || at.startsWith(`${names}.`) || names.startsWith(`${at}.`);
    if (attribute !== undefined && isWithin && attribute.nested === undefined && value.payload !== null)
      found.set(at, { at, attribute, valueType: type });
    return inside();
  });
  return [...found.values()];
}

/** Candidates for an attribute: a collection has one or two elements. */
function candidates(attribute: Attribute, type: Type, diagnostics: readonly Diagnostic[], block: Block): readonly Value[] {
  const texts = [attribute.description, block.description, ...diagnostics.flatMap(({ summary, detail }) => [summary, detail])];
  const values = primitives(type.kind === "list" || type.kind === "set" || type.kind === "map" ? type.element : type, texts);
  switch (type.kind) {
    case "list":
    case "set":
      return [
        ...values.map((one) => convert(of(type, [one] as never), type)),
        ...pairs(values).map((pair) => of(type, pair as never) as Value),
      ];
    case "map":
      return values.flatMap((one) => ["k", "abc"].map((key) => of(type, { [key]: one })));
    default:
      return values;
  }
}

function pairs(values: readonly Value[]): readonly (readonly Value[])[] {
  return values.slice(1).map((one, index) => [values[index]!, one]);
}

function primitives(type: Type, texts: readonly string[]): readonly Value[] {
  switch (type.kind) {
    case "string":
      return [...new Set([...quoted(texts), ...commonTexts])].map((text) => of(string, text));
    case "number": {
      const numbers = [...new Set([...texts.flatMap((text) => text.match(/-?\d+(\.\d+)?/g) ?? []), ...commonNumbers])];
      return numbers.map((text) => convert(of(string, text), number));
    }
    case "bool":
      return [of(bool, true), of(bool, false)];
    default:
      return [];
  }
}

/** The parts of texts in quotes or backticks, and the words after `one of`. */
function quoted(texts: readonly string[]): readonly string[] {
  const words = texts.flatMap((text) => (/\bone of\b/i.test(text) ? text.split(/\bone of\b/i).slice(1) : []));
  const listed = words.flatMap((text) => text.match(/[A-Za-z0-9][\w.:/-]*/g) ?? []).map((word) => word.replace(/[.:]$/, ""));
  const marked = texts.flatMap((text) =>
    [...text.matchAll(/"([^"\n]{0,80})"|`([^`\n]{1,80})`|'([^'\n]{1,80})'/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? ""),
  );
  return [...marked, ...listed].slice(0, 80);
}

/** Returns the candidates for which validation does not report the attribute. */
async function acceptedCandidates(type: ResourceType, config: Value, at: string, values: readonly Value[]): Promise<readonly Value[]> {
  const { block } = type.schema;
  const accepted: Value[] = [];
  for (const value of values) {
    const replaced = mapBlock(block, config, (part, before, inside) => (part.at === at && before.payload !== null ? value : inside()));
    const diagnostics = await validateConfig(type, replaced);
    const isRefused = diagnostics.some(({ severity, attribute }) => {
      const names = attribute === undefined ? undefined : namesOnPath(attribute);
      return severity === "error" && names !== undefined && (names === at || at.startsWith(`${names}.`) || names.startsWith(`${at}.`));
    });
    if (!isRefused) accepted.push(value);
  }
  return accepted;
}
