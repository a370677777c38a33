// SPDX-License-Identifier: Apache-2.0
import { number, type ObjectType, of, type Type } from "@tenon/cty";
import { numberText, type NumberPayload, perType } from "@tenon/cty/unstable/payload";
import { BridgeError } from "../../error.ts";
import { isPropertyArray, isPropertyMap, isSpecialProperty, type PropertyMap, type PropertyValue } from "../property/property-value.ts";
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
function deltaIn(delta: PropertyValue | undefined): { readonly kind?: string; readonly content: PropertyValue } {
  const value = plain(delta) ?? emptyMap;
  if (!isPropertyMap(value) || value.size > 1) throw malformed();
  for (const [kind, content] of value) return { kind, content };
  return { content: null };
}

function mapState(deltas: PropertyMap, given: PropertyMap, element: Type | undefined): string {
  const members = [...given.keys()].toSorted().map((key) => member(key, recoverState(deltas.get(key), given.get(key)!, element)));
  return `{${members.join()}}`;
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
  const add = (name: string, part: PropertyValue): void => {
    const attribute = renamed.get(name) ?? snakeCase(name);
    if (typeof attribute !== "string") throw malformed();
    members.add(attribute, (attributeType) => recoverState(deltas.get(name), part, attributeType));
  };
  for (const [name, part] of given) if (!bridgeProperties.has(name) && !ignored.includes(name)) add(name, part);
  // Attributes that the outputs lack, for example because they are null.
  for (const name of deltas.keys()) if (!given.has(name)) add(name, null);
  return members.text();
}

/** Collects the members of an object. */
interface Members {
  /** @param write - writes the value of the member, whose type may be unknown. */
  add(name: string, write: (type: Type | undefined) => string): void;
  text(): string;
}

/** Collects the members of an object of a type. */
class TypedMembers implements Members {
  readonly #type: ObjectType;
  readonly #texts: (string | undefined)[];

  constructor(type: ObjectType) {
    this.#type = type;
    this.#texts = type.names.map(() => undefined);
  }

  add(name: string, write: (type: Type | undefined) => string): void {
    const slot = this.#type.slots.get(name);
    if (slot !== undefined) this.#texts[slot] = write(this.#type.attributes[name]);
  }

  text(): string {
    const names = encodedNames(this.#type);
    let text = "";
    for (const [slot, value] of this.#texts.entries()) if (value !== undefined) text += `${text === "" ? "" : ","}${names[slot]}${value}`;
    return `{${text}}`;
  }
}

/** Collects the members of an object whose type is unknown. */
class SortedMembers implements Members {
  readonly #texts = new Map<string, string>();

  add(name: string, write: (type: undefined) => string): void {
    this.#texts.set(name, write(undefined));
  }

  text(): string {
    const names = [...this.#texts.keys()].toSorted();
    return `{${names.map((name) => member(name, this.#texts.get(name)!)).join()}}`;
  }
}

/** The names of a type's attributes as JSON, each with a colon. */
const encodedNames: (type: Type) => readonly string[] = perType((type) =>
  type.kind === "object" ? type.names.map((name) => member(name, "")) : [],
);

function member(name: string, value: string): string {
  return `${JSON.stringify(name)}:${value}`;
}

/** The state of a value without a difference. An object always has a difference, which distinguishes it from a map. */
function naturalState(property: PropertyValue): string {
  if (isPropertyArray(property)) return `[${property.map((element) => naturalState(plain(element) ?? null)).join()}]`;
  if (isPropertyMap(property) || isSpecialProperty(property)) throw misfit("it has no difference for an object");
  return jsonState(property, undefined);
}

function jsonState(given: PropertyValue, type: Type | undefined): string {
  const value = plain(given) ?? null;
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return needsNoEscape.test(value) ? `"${value}"` : JSON.stringify(value);
  if (typeof value === "number") return doubleText(value);
  if (isPropertyArray(value)) return `[${value.map((part) => jsonState(part, elementOf(type))).join()}]`;
  if (!isPropertyMap(value)) throw misfit("a value is not JSON");
  const isObject = type?.kind === "object";
  const names = [...value.keys()].filter((name) => !isObject || type.slots.has(name)).toSorted();
  return `{${names.map((name) => member(name, jsonState(value.get(name)!, isObject ? type.attributes[name] : elementOf(type)))).join()}}`;
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
