// SPDX-License-Identifier: Apache-2.0
import {
  bool,
  CtyError,
  dynamic,
  friendlyName,
  get,
  isKnown,
  isNull,
  listOf,
  mapOf,
  nullOf,
  number,
  objectOf,
  of,
  setOf,
  string,
  tupleOf,
  type Type,
  type Value,
} from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { elements, lengthInt } from "@tenon/cty/operators";
import { attributeType, emptyValue, errorDiagnostic, hasErrors, impliedType, warningDiagnostic } from "@tenon/schema";
import type { Attribute, Block, Diagnostic } from "@tenon/schema";
import { textOf } from "../configuration/literal.ts";
import { conversionText } from "../configuration/value-path.ts";
import type { MockText } from "./mock-text.ts";
import { valuesOf, type SubstitutedValues } from "./override-block.ts";

/** A composed value; absent after errors. */
export interface MockedValue {
  readonly value?: Value;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Composes the value of a mocked object: configured attributes as they are, and for computed ones the given values or generated ones.
 *
 * @param config The configuration of the object, or of a nested block.
 * @param values Values for computed attributes by name.
 * @see OpenTofu configs/hcl2shim, MockValueComposer.ComposeBySchema
 */
export function composeMock(schema: Block, config: Value, values: SubstitutedValues, text: MockText): MockedValue {
  const configured = valuesOf(config);
  const sourcesOf = (name: string): Sources => ({ configured: configured.get(name), given: values.get(name) });
  const diagnostics: Diagnostic[] = [];
  const parts = new Map<string, Value>();
  for (const name of Object.keys(schema.attributes).sort()) {
    const attribute = schema.attributes[name]!;
    checkSubstitute(name, attribute, sourcesOf(name), diagnostics);
    const value = attributeValue(name, attribute, sourcesOf(name), text, diagnostics);
    if (value !== undefined) parts.set(name, value);
  }
  if (hasErrors(diagnostics)) return { diagnostics };
  for (const name of Object.keys(schema.blocks).sort()) {
    const block = blockValue(schema, name, sourcesOf(name), text, diagnostics);
    if (block === undefined) return { diagnostics };
    parts.set(name, block);
  }
  for (const name of values.keys()) {
    if (name in schema.attributes || name in schema.blocks) continue;
    const detail = "The field is unknown. Please, ensure it is a part of resource definition.";
    diagnostics.push(errorDiagnostic(`Invalid override for block field \`${name}\``, detail));
  }
  return { value: objectOf(parts), diagnostics };
}

/** The configured value of an attribute or block, and the one that a mock or an override gives. */
interface Sources {
  readonly configured: Value | undefined;
  readonly given: Value | undefined;
}

function isPresent(value: Value | undefined): value is Value {
  return value !== undefined && !isNull(value);
}

function checkSubstitute(
  name: string,
  { computed, writeOnly }: Attribute,
  { configured, given }: Sources,
  diagnostics: Diagnostic[],
): void {
  if (given === undefined) return;
  if (isPresent(configured)) {
    const detail = "The field is ignored since overriding configuration values is not allowed.";
    diagnostics.push(errorDiagnostic(`Invalid mock/override field \`${name}\``, detail));
  }
  if (!computed) {
    const detail = "Overriding non-computed fields is not allowed, so this field cannot be processed.";
    diagnostics.push(errorDiagnostic(`Non-computed field \`${name}\` is not allowed to be overridden`, detail));
  }
  if (writeOnly) {
    const detail =
      "Override values for write-only attributes have no impact since the write-only attributes will always be null in the provider response.";
    diagnostics.push(warningDiagnostic(`Encountered override for write-only attribute \`${name}\``, detail));
  }
}

function attributeValue(
  name: string,
  attribute: Attribute,
  { configured, given }: Sources,
  text: MockText,
  diagnostics: Diagnostic[],
): Value | undefined {
  const type = attributeType(attribute);
  const invalid = (detail: string): void => void diagnostics.push(errorDiagnostic(`Invalid mock/override field \`${name}\``, detail));
  const substitute = given && converted(given, type, invalid);
  if (attribute.writeOnly) return nullOf(type);
  if (attribute.required) {
    if (!isPresent(configured)) invalid("Required field in configuration not provided");
    return configured;
  }
  if (isPresent(configured)) {
    if (!attribute.optional) invalid("Config value can not be specified for computed field");
    return configured;
  }
  if (given !== undefined) return substitute;
  return attribute.computed ? generated(type, text) : nullOf(type);
}

function converted(given: Value, type: Type, invalid: (detail: string) => void): Value | undefined {
  try {
    return convert(given, type);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    invalid(`Values provided for override / mock must match resource fields types: ${conversionText(error)}.`);
    return undefined;
  }
}

/** The value of the nested blocks of one name: those of the configuration, each composed as the object itself is. */
function blockValue(
  schema: Block,
  name: string,
  { configured, given }: Sources,
  text: MockText,
  diagnostics: Diagnostic[],
): Value | undefined {
  const empty = get(emptyValue(schema), name);
  const invalid = (detail: string): void => void diagnostics.push(errorDiagnostic(`Invalid override for block field \`${name}\``, detail));
  if (given !== undefined && given.type.kind !== "object") {
    invalid(`Blocks can be overridden only by objects, got \`${friendlyName(given.type)}\``);
    return empty;
  }
  if (!isPresent(configured) || !isKnown(configured) || isEmptyCollection(configured)) {
    if (given !== undefined) invalid("Cannot override block value, because it's not present in configuration.");
    return empty;
  }
  const { block } = schema.blocks[name]!;
  const values = given === undefined ? new Map<string, Value>() : valuesOf(given);
  const compose = (config: Value): Value | undefined => {
    const composed = composeMock(block, config, values, text);
    diagnostics.push(...composed.diagnostics);
    return hasErrors(composed.diagnostics) ? undefined : composed.value;
  };
  const { type } = configured;
  if (type.kind === "object") return compose(configured);
  const blocks: (readonly [Value, Value])[] = [];
  for (const [key, config] of elements(configured)) {
    const value = compose(config);
    if (value === undefined) return undefined;
    blocks.push([key, value]);
  }
  return collectionOf(blocks, type, impliedType(block), diagnostics);
}

/** A collection of composed blocks by their keys. Reports an error if the blocks of the configuration are not in a collection. */
function collectionOf(
  blocks: readonly (readonly [Value, Value])[],
  type: Type,
  blockType: Type,
  diagnostics: Diagnostic[],
): Value | undefined {
  const values = blocks.map(([, value]) => value);
  switch (type.kind) {
    case "list":
      return listOf(values, blockType);
    case "set":
      return setOf(values, blockType);
    case "map":
      return mapOf(new Map(blocks.map(([key, value]) => [textOf(key), value])), blockType);
    default: {
      const detail =
        "Failed to generate mock value for this block type. Please, report it as an issue at OpenTofu repository, since it's not expected.";
      diagnostics.push(errorDiagnostic(`Unexpected block type: ${friendlyName(type)}`, detail));
      return undefined;
    }
  }
}

function isEmptyCollection(value: Value): boolean {
  return (value.type.kind === "list" || value.type.kind === "set" || value.type.kind === "map") && lengthInt(value) === 0;
}

/** A value of a type: zero, false, a random text, or an empty collection. */
function generated(type: Type, text: MockText): Value {
  switch (type.kind) {
    case "number":
      return of(number, 0);
    case "bool":
      return of(bool, false);
    case "string":
      return of(string, text.next());
    case "list":
      return listOf([], type.element);
    case "set":
      return setOf([], type.element);
    case "map":
      return mapOf(new Map(), type.element);
    case "object": {
      const names = Object.keys(type.attributes).sort();
      return objectOf(new Map(names.map((name) => [name, generated(type.attributes[name]!, text)])));
    }
    case "tuple":
      return tupleOf([]);
    default:
      return nullOf(dynamic);
  }
}
