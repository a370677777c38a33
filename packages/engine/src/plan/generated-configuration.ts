// SPDX-License-Identifier: Apache-2.0
// Configuration for imported objects, as `tofu plan -generate-config-out` writes it.
import { CtyError, get, isNull, string, type Value } from "@tenon/cty";
import { decode, impliedType } from "@tenon/cty/json";
import { elements } from "@tenon/cty/operators";
import { compareCodePoints, goQuote } from "@tenon/cty/unstable/payload";
import { format } from "@tenon/hcl/write";
import type { Attribute, Block, NestedBlock } from "@tenon/schema";
import type { LocalProviderConfig } from "../address/provider-config.ts";
import { impliedProviderName, type Resource } from "../address/resource.ts";
import { textOf } from "../configuration/literal.ts";
import { expressionText } from "../configuration/value-expression.ts";
import type { ResourceChange } from "../change/planned-changes.ts";

/**
 * The arguments and blocks of a `resource` block that describes an object. It has no attributes that cannot be configured or are deprecated,
 * no `id` that is both optional and computed, which the legacy SDK adds to every schema, and no values of sensitive attributes.
 *
 * @see OpenTofu genconfig.GenerateResourceContents
 */
export function generatedContents(resource: Resource, schema: Block, value: Value, provider: LocalProviderConfig): string {
  const { localName, alias } = provider;
  const isImplied = localName === impliedProviderName(resource.type) && alias === undefined;
  const reference = isImplied ? [] : [`provider = ${alias === undefined ? localName : `${localName}.${alias}`}`];
  return format([...reference, ...blockLines(schema, value), ""].join("\n"));
}

/** The `resource` block with generated arguments. @see OpenTofu genconfig.WrapResourceContents */
export function generatedResource({ type, name }: Resource, contents: string): string {
  return format(`resource ${goQuote(type)} ${goQuote(name)} {\n${contents}}`);
}

/** The text between the braces of a generated `resource` block. */
export function contentsOfResource(text: string): string {
  return text.slice(text.indexOf("\n") + 1, text.lastIndexOf("}"));
}

/**
 * The file with all generated configuration of a plan, in the order of addresses; undefined if the plan has none.
 *
 * @see OpenTofu genconfig.Change, MaybeWriteConfig
 */
export function generatedFile(changes: readonly ResourceChange[]): string | undefined {
  const generated = changes.filter(({ generatedConfig }) => generatedConfig !== undefined);
  if (generated.length === 0) return undefined;
  const blocks = generated.map(({ importing, generatedConfig }) => {
    const id = importing !== undefined && "id" in importing ? importing.id : "";
    return `\n# __generated__ by OpenTofu${id === "" ? "" : ` from ${goQuote(id)}`}\n${generatedConfig}\n`;
  });
  return `# __generated__ by OpenTofu\n# Please review these resources and move them into your main configuration files.\n${blocks.join("")}`;
}

function blockLines({ attributes, blocks }: Block, value: Value): readonly string[] {
  const nested = sorted(blocks).filter(([, { block }]) => !block.deprecated);
  return [...attributeLines(attributes, value), ...nested.flatMap(([name, block]) => nestedBlockLines(name, block, get(value, name)))];
}

function attributeLines(attributes: Readonly<Record<string, Attribute>>, value: Value): readonly string[] {
  return sorted(attributes).flatMap(([name, attribute]) => {
    if (isOmitted(name, attribute)) return [];
    const { nested, sensitive, required, optional } = attribute;
    const element = isNull(value) ? undefined : get(value, name);
    if (nested !== undefined) return nestedAttributeLines(name, attribute, nested, element);
    if (!required && !optional) return [];
    if (sensitive) return [`${name} = null # sensitive${writeOnlyNote(attribute, "")}`];
    const text = element === undefined || isNull(element) ? "null" : (jsonCall(element) ?? expressionText(element));
    return [`${name} = ${text}${writeOnlyNote(attribute, " #")}`];
  });
}

function isOmitted(name: string, { computed, optional, deprecated }: Attribute): boolean {
  return (computed && !optional) || deprecated || (name === "id" && computed && optional);
}

function nestedAttributeLines(
  name: string,
  attribute: Attribute,
  { nesting, attributes }: NonNullable<Attribute["nested"]>,
  value: Value | undefined,
): readonly string[] {
  const isSequence = nesting === "list" || nesting === "set";
  if (attribute.sensitive) return [`${name} = ${isSequence ? "[]" : "{}"} # sensitive${writeOnlyNote(attribute, "")}`];
  if (value === undefined || isNull(value)) return [`${name} = null${writeOnlyNote(attribute, " #")}`];
  switch (nesting) {
    case "single":
      return [`${name} = {`, ...attributeLines(attributes, value), "}"];
    case "map": {
      const items = sortedElements(value).flatMap(([key, element]) => [`${key} = {`, ...attributeLines(attributes, element), "}"]);
      return [`${name} = {`, ...items, "}"];
    }
    default: {
      const items = elements(value).flatMap(([, element]) => ["{", ...attributeLines(attributes, element), "},"]);
      return [`${name} = [`, ...items, "]"];
    }
  }
}

function nestedBlockLines(name: string, { nesting, block }: NestedBlock, value: Value): readonly string[] {
  if (isNull(value)) return [];
  const body = (element: Value): readonly string[] => [...blockLines(block, element), "}"];
  switch (nesting) {
    case "single":
    case "group":
      return [`${name} {`, ...body(value)];
    case "map":
      return sortedElements(value).flatMap(([key, element]) => [`${name} ${goQuote(key)} {`, ...body(element)]);
    default:
      return elements(value).flatMap(([, element]) => [`${name} {`, ...body(element)]);
  }
}

/** @param start Starts a comment, unless the line already has one. */
function writeOnlyNote({ writeOnly }: Attribute, start: "" | " #"): string {
  return writeOnly ? `${start} write-only` : "";
}

/** A call of `jsonencode` that gives the text of a JSON object or array; undefined for any other value. */
function jsonCall(value: Value): string | undefined {
  if (value.type !== string) return undefined;
  const text = textOf(value).trim();
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  try {
    return `jsonencode(${expressionText(decode(text, impliedType(text)))})`;
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}

function sorted<T>(record: Readonly<Record<string, T>>): readonly (readonly [string, T])[] {
  return Object.entries(record).sort(([a], [b]) => compareCodePoints(a, b));
}

function sortedElements(value: Value): readonly (readonly [string, Value])[] {
  const named = elements(value).map(([key, element]) => [textOf(key), element] as const);
  return named.sort(([a], [b]) => compareCodePoints(a, b));
}
