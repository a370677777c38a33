// SPDX-License-Identifier: Apache-2.0
import {
  attributeStep,
  CtyError,
  dynamic,
  formatPath,
  indexStep,
  isValue,
  number,
  of,
  string,
  unknown,
  type Path,
  type Type,
  type Value,
} from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { attributeType, createBlock, impliedType, nestedBlockType, type Attribute, type Block, type NestedBlock } from "@tenon/schema";
import { PluginHostError } from "../error.ts";
import { isUnknown } from "@tenon/schema";

/**
 * Converts data to the value of a configuration. Omitted attributes become null, and omitted blocks empty; cty values are converted as in
 * HCL, other data must have the right type.
 * @param subject - name of the object, with which the message of an error begins
 * @throws PluginHostError `INVALID_CONFIG` with the path
 */
export function configValue(block: Block, data: unknown, subject: string): Value {
  try {
    return isValue(data) ? of(impliedType(block), convert(data, impliedType(block))) : blockValue(block, data, []);
  } catch (error) {
    throw invalidConfig(subject, error);
  }
}

/** Converts data to a value of a type, such as an argument or an identity. @throws PluginHostError `INVALID_CONFIG` */
export function typedValue(type: Type, data: unknown, subject: string): Value {
  try {
    return of(type, resolved(type, data, []) as never);
  } catch (error) {
    throw invalidConfig(subject, error);
  }
}

function invalidConfig(subject: string, error: unknown): unknown {
  if (!(error instanceof CtyError)) return error;
  const where = error.path.length === 0 ? "" : ` at ${formatPath(error.path).replace(/^\./, "")}`;
  return new PluginHostError("INVALID_CONFIG", `${subject}${where}: ${error.message}`, { cause: error });
}

function blockValue(block: Block, data: unknown, path: Path): Value {
  return of(impliedType(block), blockData(block, data, path) as never);
}

/** @param isObject - whether the data is an object value, which may have extra attributes, and not the body of a block */
function blockData(block: Block, data: unknown, path: Path, isObject = false): unknown {
  const names = isObject ? undefined : [...Object.keys(block.attributes), ...Object.keys(block.blocks)];
  const given = recordOf(data, names, path);
  const result: [string, unknown][] = [];
  for (const [name, attribute] of Object.entries(block.attributes))
    result.push([name, attributeData(attribute, given.get(name), [...path, attributeStep(name)])]);
  for (const [name, nested] of Object.entries(block.blocks))
    result.push([name, nestedBlockData(nested, given.get(name), [...path, attributeStep(name)])]);
  return new Map(result);
}

function attributeData(attribute: Attribute, data: unknown, path: Path): unknown {
  if (data === undefined) {
    if (attribute.required) throw invalid("is required", path);
    return null;
  }
  if (attribute.computed && !attribute.optional && !attribute.required && data !== null)
    throw invalid("is set by the provider, and cannot be configured: leave it out", path);
  const { nested } = attribute;
  if (!nested || data === null || isValue(data) || isUnknown(data)) return resolved(attributeType(attribute), data, path);
  const body = createBlock({ attributes: nested.attributes });
  return eachElement(nested.nesting, data, path, (element, at) => bodyOrNull(body, element, at));
}

function nestedBlockData(nested: NestedBlock, data: unknown, path: Path): unknown {
  const { nesting, block } = nested;
  if (isValue(data) || isUnknown(data)) return resolved(nestedBlockType(nested), data, path);
  if (nesting === "group") return blockValue(block, data ?? {}, path);
  if (nesting === "single") {
    if (data !== undefined && data !== null) return blockValue(block, data, path);
    if (nested.minItems > 0) throw invalid("is a required block", path);
    return null;
  }
  const elements = eachElement(nesting, data ?? (nesting === "map" ? {} : []), path, (element, at) => blockValue(block, element, at));
  const count = Array.isArray(elements) ? elements.length : (elements as ReadonlyMap<string, unknown>).size;
  if (count < nested.minItems) throw invalid(`is a block that is required ${times(nested.minItems, "at least")}, not ${count} times`, path);
  if (nested.maxItems > 0 && count > nested.maxItems)
    throw invalid(`is a block that is allowed ${times(nested.maxItems, "at most")}, not ${count} times`, path);
  return elements;
}

function times(count: number, bound: string): string {
  return count === 1 ? `${bound} once` : `${bound} ${count} times`;
}

function bodyOrNull(body: Block, data: unknown, path: Path): unknown {
  if (data === null || isValue(data)) return data;
  if (isUnknown(data)) return unknown(impliedType(body));
  return blockData(body, data, path, true);
}

/** Replaces each element of a nested attribute or block. */
function eachElement(
  nesting: "single" | "list" | "set" | "map",
  data: unknown,
  path: Path,
  change: (element: unknown, path: Path) => unknown,
): unknown {
  if (nesting === "single") return change(data, path);
  if (nesting === "map") {
    const entries = [...recordOf(data, undefined, path)];
    return new Map(entries.map(([key, element]) => [key, change(element, [...path, indexStep(key)])]));
  }
  const elements = Array.isArray(data) ? data : nesting === "set" && data instanceof Set ? [...(data as ReadonlySet<unknown>)] : undefined;
  if (elements === undefined) throw invalid("must be an array", path);
  return elements.map((element: unknown, index) => change(element, [...path, indexStep(index)]));
}

/** Returns data for `of`: unknown values become cty's, and cty values are converted to the type. */
function resolved(type: Type, data: unknown, path: Path): unknown {
  if (isUnknown(data)) return unknown(type);
  if (isValue(data)) return converted(type, data, path);
  if (typeof data === "number" && (type.kind === "number" || type.kind === "dynamic")) return asLiteral(data);
  if (typeof data !== "object" || data === null) return data;
  if (Array.isArray(data))
    return data.map((element: unknown, index) => resolved(partType(type, index), element, [...path, indexStep(index)]));
  if (data instanceof Set)
    return new Set(Array.from(data as ReadonlySet<unknown>, (element) => resolved(partType(type, 0), element, path)));
  if (data instanceof Map) {
    const entries = [...(data as ReadonlyMap<string, unknown>)].filter(([key]) => belongsTo(type, key));
    return new Map(entries.map(([key, element]) => [key, resolved(partType(type, key), element, [...path, indexStep(key)])]));
  }
  if (!isRecord(data)) return data;
  const step = type.kind === "map" ? indexStep : attributeStep;
  return Object.fromEntries(
    Object.entries(data)
      .filter(([key, element]) => element !== undefined && belongsTo(type, key))
      .map(([key, element]) => [key, resolved(partType(type, key), element, [...path, step(key)])]),
  );
}

/** Returns the decimal number of the literal in a configuration: 0.1 and 1e23 exactly, not the nearest double. */
function asLiteral(data: number): unknown {
  return Number.isFinite(data) && !Number.isSafeInteger(data) ? convert(of(string, String(data)), number) : data;
}

/** Whether an entry is part of a value of the type. The CLIs drop the attributes that an object type does not have. */
function belongsTo(type: Type, key: string): boolean {
  return type.kind !== "object" || Object.hasOwn(type.attributes, key);
}

function converted(type: Type, value: Value, path: Path): Value {
  try {
    return convert(value, type);
  } catch (error) {
    throw error instanceof CtyError ? new CtyError(error.code, error.message, [...path, ...error.path], { cause: error }) : error;
  }
}

function partType(type: Type, key: string | number): Type {
  switch (type.kind) {
    case "list":
    case "set":
    case "map":
      return type.element;
    case "tuple":
      return type.elements[key as number] ?? dynamic;
    case "object":
      return Object.hasOwn(type.attributes, key) ? type.attributes[key]! : dynamic;
    default:
      return dynamic;
  }
}

function isRecord(data: unknown): data is Readonly<Record<string, unknown>> {
  if (typeof data !== "object" || data === null) return false;
  const prototype: unknown = Object.getPrototypeOf(data);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Returns the defined entries of a record or Map. Names other than `names`, if given, are rejected. */
function recordOf(data: unknown, names: readonly string[] | undefined, path: Path): ReadonlyMap<string, unknown> {
  const entries = data instanceof Map ? [...(data as ReadonlyMap<string, unknown>)] : isRecord(data) ? Object.entries(data) : undefined;
  if (entries === undefined) throw invalid("must be an object", path);
  const result = new Map(entries.filter(([, element]) => element !== undefined));
  for (const name of names === undefined ? [] : result.keys()) {
    if (names!.includes(name)) continue;
    throw invalid(`is not an attribute or block; valid names are ${[...names!].sort().join(", ") || "none"}`, [
      ...path,
      attributeStep(name),
    ]);
  }
  return result;
}

function invalid(message: string, path: Path): CtyError {
  return new CtyError("INVALID_VALUE", message, path);
}
