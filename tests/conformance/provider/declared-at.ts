// SPDX-License-Identifier: Apache-2.0
import { PlainSet, unknownText } from "./compare.ts";
import {
  isComputed,
  type AttributeDeclaration,
  type BlockDeclaration,
  type SchemaDeclaration,
  type TypeDeclaration,
} from "./declaration.ts";

export type Declared = AttributeDeclaration | BlockDeclaration;
type Steps = readonly (string | number)[];

/** Finds the attributes and blocks along a path, from the outside in, without parts of values that are set as a whole. */
export function declaredAlong(schema: SchemaDeclaration, steps: Steps): readonly Declared[] {
  const along: Declared[] = [];
  let body: SchemaDeclaration | undefined = schema;
  for (let at = 0; at < steps.length && body !== undefined; at++) {
    const name = steps[at]!;
    const declared: Declared | undefined = body.attributes[name] ?? body.blocks?.[name];
    if (declared === undefined) break;
    along.push(declared);
    body = "body" in declared ? declared.body : undefined;
    if ("body" in declared && declared.nesting !== "single") at++;
  }
  return along;
}

/** Steps to the innermost attribute or block of a path. */
export function stepsToDeclared(schema: SchemaDeclaration, steps: Steps): Steps {
  const wanted = declaredAlong(schema, steps).length;
  let at = 1;
  while (at < steps.length && declaredAlong(schema, steps.slice(0, at)).length < wanted) at++;
  return steps.slice(0, at);
}

/** Whether a state has a value in a provider-set nested attribute that has a part with a default. */
export function hasDefaultsUnconfigured({ attributes, blocks = {} }: SchemaDeclaration, state: unknown, config: unknown): boolean {
  return [...Object.entries(attributes), ...Object.entries(blocks)].some(([name, declared]) => {
    if (!("body" in declared)) return false;
    const [recorded, configured] = [plainAt(state, [name]), plainAt(config, [name])];
    if (recorded === null || recorded === undefined) return false;
    if (configured === null) return hasDefaults(declared.body);
    return elementsIn(recorded).some((one, at) => hasDefaultsUnconfigured(declared.body, one, elementsIn(configured)[at] ?? configured));
  });
}

function hasDefaults({ attributes }: SchemaDeclaration): boolean {
  return Object.values(attributes).some((one) => one.mode === "default" || ("body" in one && hasDefaults(one.body)));
}

/** The objects in a nested value: a single object, or the elements in order. */
function elementsIn(plain: unknown): readonly unknown[] {
  if (Array.isArray(plain)) return plain;
  if (plain instanceof PlainSet) return plain.elements;
  return typeof plain === "object" && plain !== null ? [plain, ...Object.values(plain)] : [];
}

/** Reads a path of plain data; undefined when the path does not exist or leads into a set. */
export function plainAt(plain: unknown, steps: Steps): unknown {
  let value = plain;
  for (const step of steps) {
    if (typeof value !== "object" || value === null || value instanceof PlainSet) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[step];
  }
  return value;
}

/** Whether plain data contains an unknown value. */
export function hasUnknownPart(plain: unknown): boolean {
  if (plain === unknownText) return true;
  if (plain instanceof PlainSet) return plain.elements.some(hasUnknownPart);
  return typeof plain === "object" && plain !== null && Object.values(plain).some(hasUnknownPart);
}

/** Whether a type contains text with semantic equality. */
export function hasSpellings(declared: Declared | TypeDeclaration): boolean {
  if ("body" in declared) return insideOf(declared.body).some(hasSpellings);
  if (declared.kind === "caseless") return true;
  if ("element" in declared) return hasSpellings(declared.element);
  return "members" in declared && Object.values(declared.members).some(hasSpellings);
}

/** Whether a body contains an attribute that is computed, has a default, or has plan modifiers. */
export function isWorkedOut(body: SchemaDeclaration): boolean {
  return insideOf(body).some((one) => {
    if ((one.modifiers ?? []).length > 0) return true;
    return ("mode" in one && isComputed(one)) || ("body" in one && isWorkedOut(one.body));
  });
}

function insideOf({ attributes, blocks = {} }: SchemaDeclaration): readonly Declared[] {
  return [...Object.values(attributes), ...Object.values(blocks)];
}
