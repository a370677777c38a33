// SPDX-License-Identifier: Apache-2.0
import { number, type ObjectType, of, type Type } from "@tenon/cty";
import { numberText, type NumberPayload, perType } from "@tenon/cty/unstable/payload";
import { BridgeError } from "../../error.ts";
import { isPropertyArray, isPropertyMap, type PropertyMap, type PropertyValue } from "../property/property-value.ts";
import { plain } from "./provider-value.ts";
import { snakeCase } from "./raw-state.ts";
import { deltaProperty } from "./state-delta.ts";

/** Properties of bridges, which are not part of a state. */
const bridgeProperties: ReadonlySet<string> = new Set(["__meta", "__defaults", deltaProperty]);

const emptyMap: PropertyMap = new Map();

/**
 * Restores the JSON text of the state that a provider wrote, from outputs and the value of {@link deltaProperty}. The names of objects and maps are
 * sorted, as in the states that providers write.
 *
 * @param type - the current type of the state. Attributes that it does not have are left out. Default: all attributes are included.
 * @throws BridgeError `INVALID_STATE` if the difference is malformed, or does not fit the outputs.
 */
export function recoverState(delta: PropertyValue | undefined, outputs: PropertyValue, type?: Type): string {
  const property = plain(outputs) ?? null;
  if (delta === undefined) return naturalState(property);
  const { kind, content } = deltaIn(delta);
  switch (kind) {
    case undefined:
      return naturalState(property);
    case "replace":
      return jsonState(mapIn(content).get("raw") ?? null, type);
    case "plu":
      return property === null ? "[]" : `[${recoverState(mapIn(content).get("i"), property, elementOf(type))}]`;
    case "map":
      if (!isPropertyMap(property)) throw misfit("an object is expected");
      return mapState(elementsIn(content), property, elementOf(type));
    case "obj":
      if (!isPropertyMap(property)) throw misfit("an object is expected");
      return objectState(mapIn(content), property, type);
    case "arr":
      if (!isPropertyArray(property)) throw misfit("an array is expected");
      return arrayState(elementsIn(content), property, elementOf(type));
    case "num":
      if (typeof property !== "string" || !/^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(property)) throw misfit("a number as text is expected");
      return property;
    case "asset":
      throw misfit("assets cannot be converted");
    default:
      throw malformed();
  }
}

/** The kind of a difference, and its content. The kind is undefined for equal values. */
function deltaIn(delta: PropertyValue): { readonly kind?: string; readonly content: PropertyValue } {
  const value = plain(delta) ?? emptyMap;
  if (!isPropertyMap(value) || value.size > 1) throw malformed();
  for (const [kind, content] of value) return { kind, content };
  return { content: null };
}

function mapState(deltas: PropertyMap, given: PropertyMap, element: Type | undefined): string {
  let text = "";
  for (const key of [...given.keys()].toSorted()) {
    text += `${text === "" ? "" : ","}${stringText(key)}:${recoverState(deltas.get(key), given.get(key)!, element)}`;
  }
  return `{${text}}`;
}

function arrayState(deltas: PropertyMap, given: readonly PropertyValue[], element: Type | undefined): string {
  for (const index of deltas.keys()) if (!(Number(index) in given)) throw misfit("an element of an array is missing");
  return `[${given.map((part, index) => recoverState(deltas.get(String(index)), part, element)).join()}]`;
}

function objectState(content: PropertyMap, given: PropertyMap, type: Type | undefined): string {
  const ignored = namesIn(content.get("ignored"));
  const renamed = partsIn(content.get("renamed"));
  const deltas = partsIn(content.get("ps"));
  const members: Members = type?.kind === "object" ? new TypedMembers(type) : new SortedMembers();
  // Unlike an iteration, it creates no array for each property.
  given.forEach((part, name) => {
    if (isBridgeProperty(name) || (ignored.length > 0 && ignored.includes(name))) return;
    members.add(attributeOf(name, renamed), deltas.get(name), part);
  });
  // Attributes that the outputs lack, for example because they are null.
  for (const [name, delta] of deltas) if (!given.has(name)) members.add(attributeOf(name, renamed), delta, null);
  return members.text();
}

function isBridgeProperty(name: string): boolean {
  return name.startsWith("__") && bridgeProperties.has(name);
}

function attributeOf(property: string, renamed: PropertyMap): string {
  const attribute = renamed.get(property) ?? snakeCase(property);
  if (typeof attribute !== "string") throw malformed();
  return attribute;
}

/** Collects the members of an object. */
interface Members {
  add(name: string, delta: PropertyValue | undefined, output: PropertyValue): void;
  text(): string;
}

/** Collects the members of an object of a type. */
class TypedMembers implements Members {
  readonly #forms: ReadonlyMap<string, MemberForm>;
  readonly #texts: (string | undefined)[];

  constructor(type: ObjectType) {
    this.#forms = memberForms(type);
    this.#texts = type.names.map(() => undefined);
  }

  add(name: string, delta: PropertyValue | undefined, output: PropertyValue): void {
    const form = this.#forms.get(name);
    if (form !== undefined) this.#texts[form.slot] = form.key + recoverState(delta, output, form.type);
  }

  text(): string {
    return `{${this.#texts.filter((text) => text !== undefined).join()}}`;
  }
}

/** Collects the members of an object whose type is unknown. */
class SortedMembers implements Members {
  readonly #texts = new Map<string, string>();

  add(name: string, delta: PropertyValue | undefined, output: PropertyValue): void {
    this.#texts.set(name, recoverState(delta, output, undefined));
  }

  text(): string {
    const names = [...this.#texts.keys()].toSorted();
    return `{${names.map((name) => member(name, this.#texts.get(name)!)).join()}}`;
  }
}

/** An attribute as a member of a JSON object. */
interface MemberForm {
  /** Position among the members. */
  readonly slot: number;
  /** The name as JSON, with a colon. */
  readonly key: string;
  readonly type: Type;
}

/** The members of an object of a type, by attribute. */
const memberForms: (type: ObjectType) => ReadonlyMap<string, MemberForm> = perType(
  (type: ObjectType) => new Map(type.names.map((name, slot) => [name, { slot, key: member(name, ""), type: type.attributes[name]! }])),
);

function member(name: string, value: string): string {
  return `${stringText(name)}:${value}`;
}

/** The state of a value without a difference. An object always has a difference, which distinguishes it from a map. */
function naturalState(property: PropertyValue): string {
  if (typeof property !== "object" || property === null) return primitiveState(property);
  if (isPropertyArray(property)) return `[${property.map((element) => naturalState(plain(element) ?? null)).join()}]`;
  throw misfit("it has no difference for an object");
}

function primitiveState(value: null | string | boolean | number): string {
  if (typeof value === "string") return stringText(value);
  return typeof value === "number" ? doubleText(value) : String(value);
}

function jsonState(given: PropertyValue, type: Type | undefined): string {
  const value = plain(given) ?? null;
  if (typeof value !== "object" || value === null) return primitiveState(value);
  if (isPropertyArray(value)) return `[${value.map((part) => jsonState(part, elementOf(type))).join()}]`;
  if (!isPropertyMap(value)) throw misfit("a value is not JSON");
  const isObject = type?.kind === "object";
  const names = [...value.keys()].filter((name) => !isObject || type.slots.has(name)).toSorted();
  return `{${names.map((name) => member(name, jsonState(value.get(name)!, isObject ? type.attributes[name] : elementOf(type)))).join()}}`;
}

function stringText(value: string): string {
  return needsNoEscape.test(value) ? `"${value}"` : JSON.stringify(value);
}

/** Matches texts that JSON contains as they are. */
const needsNoEscape = /^[ !#-[\]-~]*$/;

function doubleText(double: number): string {
  return Number.isSafeInteger(double) && !Object.is(double, -0) ? String(double) : numberText(of(number, double).payload as NumberPayload);
}

/** Type of the elements of a collection. Tuples and dynamic values keep all attributes. */
function elementOf(type: Type | undefined): Type | undefined {
  return type?.kind === "list" || type?.kind === "set" || type?.kind === "map" ? type.element : undefined;
}

function namesIn(value: PropertyValue | undefined): readonly PropertyValue[] {
  const names = plain(value) ?? [];
  if (!isPropertyArray(names) || !names.every((name) => typeof name === "string")) throw malformed();
  return names;
}

function elementsIn(content: PropertyValue): PropertyMap {
  return partsIn(mapIn(content).get("el"));
}

function partsIn(value: PropertyValue | undefined): PropertyMap {
  return mapIn(value ?? emptyMap);
}

function mapIn(value: PropertyValue | undefined): PropertyMap {
  const map = plain(value);
  if (!isPropertyMap(map)) throw malformed();
  return map;
}

function malformed(): BridgeError {
  return new BridgeError("INVALID_STATE", `${deltaProperty} is malformed`);
}

function misfit(detail: string): BridgeError {
  return new BridgeError(
    "INVALID_STATE",
    `${deltaProperty} does not fit the outputs of the resource: ${detail}. After a manual change of the state, remove this property from it`,
  );
}
