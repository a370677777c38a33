// SPDX-License-Identifier: Apache-2.0
import { same } from "@tenon/cty";
import { hasErrors } from "@tenon/schema";
import { importObject, readObject, type ResourceObject } from "@tenon/schema/lifecycle";
import { BridgeError } from "../../error.ts";
import type { ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import {
  isPropertyArray,
  isPropertyMap,
  isSpecialProperty,
  secretProperty,
  type PropertyMap,
  type PropertyValue,
} from "../property/property-value.ts";
import { propertiesEqual } from "../values/property-equality.ts";
import { plain, singleValue } from "../values/provider-value.ts";
import { errorTexts, showWarnings } from "./bridge-context.ts";
import type { ResourceContext } from "./resource-context.ts";
import { decodeState, encodeState, identityOfId, idOf, outputsOf } from "./resource-state.ts";

/** Resource that exists, as it was read. */
export interface FoundResource {
  readonly id: string;
  readonly outputs: PropertyMap;
  readonly inputs: PropertyMap;
}

/**
 * Reads a resource whose state is known.
 *
 * @returns undefined if the resource no longer exists.
 * @throws BridgeError `PROVIDER_FAILED`
 */
export async function refreshResource(
  context: ResourceContext,
  { id, state, inputs }: { readonly id: string; readonly state: PropertyMap; readonly inputs: PropertyMap },
): Promise<FoundResource | undefined> {
  const prior = await decodeState(context, state);
  const { object, diagnostics } = await readObject(context.type, prior, context.options);
  showWarnings(context, diagnostics, context.urn);
  if (hasErrors(diagnostics)) throw new BridgeError("PROVIDER_FAILED", errorTexts(diagnostics).join("\n"));
  if (object === undefined) return undefined;
  // Inputs can have exact numbers as texts, which are compared with exact outputs.
  const exact = outputsOf(context, object.value, inputs, { numbers: "comparable" });
  return { id, outputs: encodeState(context, object, inputs), inputs: refreshedInputs(context.resource.object, inputs, exact) };
}

/**
 * Imports a resource by its ID, or by its identity as JSON text.
 *
 * @returns undefined if no such resource exists.
 * @throws BridgeError `PROVIDER_FAILED`
 */
export async function importResource(context: ResourceContext, id: string): Promise<FoundResource | undefined> {
  const identity = identityOfId(context, id);
  const { status, object, diagnostics } = await importObject(context.type, identity ? { identity } : { id }, context.options);
  showWarnings(context, diagnostics, context.urn);
  if (status === "notFound") return undefined;
  if (object === undefined) throw new BridgeError("PROVIDER_FAILED", errorTexts(diagnostics).join("\n"));
  return found(context, object, id);
}

function found(context: ResourceContext, object: ResourceObject, id: string): FoundResource {
  const outputs = encodeState(context, object, new Map());
  const own = idOf(context, object);
  return { id: context.resource.id.kind === "none" ? id : own, outputs, inputs: importedInputs(context.resource.object, outputs) };
}

/**
 * The inputs of an imported resource: all properties that a program can set and that have a value. The ID is not an input, although its attribute is
 * optional in the legacy SDK. An empty collection is an input, because the next update would change it to null otherwise; but not in the legacy
 * SDK, which does not distinguish it from null.
 */
function importedInputs(mapping: ObjectMapping, outputs: PropertyMap): PropertyMap {
  const inputs = new Map(nestedInputs(mapping, outputs));
  const id = mapping.byAttribute.get("id");
  if (id?.computed) inputs.delete(id.property);
  const isLegacy = id !== undefined && id.computed && id.input;
  for (const { property, input, computed, block } of isLegacy ? [] : mapping.properties) {
    const value = plain(outputs.get(property));
    const isEmptyCollection = (isPropertyArray(value) && value.length === 0) || (isPropertyMap(value) && value.size === 0);
    if (input && !computed && block === undefined && isEmptyCollection) inputs.set(property, value);
  }
  return inputs;
}

/** The properties that a program can set and that have a value. */
function nestedInputs(mapping: ObjectMapping, outputs: PropertyMap): PropertyMap {
  const inputs = new Map<string, PropertyValue>();
  for (const { property, input, value } of mapping.properties) {
    const output = outputs.get(property);
    if (!input || output === undefined) continue;
    const imported = importedValue(value, output);
    if (!isEmpty(imported)) inputs.set(property, imported);
  }
  return inputs;
}

function importedValue(mapping: ValueMapping, output: PropertyValue): PropertyValue {
  if (isSpecialProperty(output)) return output.kind === "secret" ? secretProperty(importedValue(mapping, output.value)) : output;
  if (mapping.kind === "only") return importedValue(mapping.element, output);
  if (mapping.kind === "object" && isPropertyMap(output)) return nestedInputs(mapping.object, output);
  if (mapping.kind === "map" && isPropertyMap(output)) {
    return new Map(output.entries().map(([key, value]) => [key, importedValue(mapping.element, value)]));
  }
  if ((mapping.kind === "list" || mapping.kind === "set") && isPropertyArray(output)) {
    return output.map((value) => importedValue(mapping.elements[0]!, value));
  }
  return output;
}

function isEmpty(value: PropertyValue): boolean {
  const given = plain(value) ?? null;
  if (given === null || given === "" || given === false || given === 0) return true;
  if (isPropertyArray(given)) return given.length === 0;
  return isPropertyMap(given) && given.size === 0;
}

/** Inputs of a refreshed resource: the properties that the old inputs set, with the current values of the resource. */
function refreshedInputs(mapping: ObjectMapping, inputs: PropertyMap, outputs: PropertyMap): PropertyMap {
  const refreshed = new Map<string, PropertyValue>();
  for (const [name, input] of inputs) {
    const property = mapping.byProperty.get(name);
    const output = outputs.get(name);
    if (property === undefined || property.writeOnly || output === undefined) refreshed.set(name, input);
    else refreshed.set(name, refreshedValue(property.value, input, output));
  }
  return refreshed;
}

function refreshedValue(mapping: ValueMapping | undefined, input: PropertyValue, output: PropertyValue): PropertyValue {
  if (propertiesEqual(input, output)) return input;
  const given = plain(input) ?? null;
  const current = plain(output) ?? null;
  if (mapping !== undefined && isSamePrimitive(mapping, given, current)) return input;
  const isSecret = isSpecialProperty(output) && output.kind === "secret";
  const value = refreshedPlain(mapping, given, current);
  return isSecret ? secretProperty(value) : value;
}

/** Whether an input and an output represent the same value of the provider: numbers can be texts, and texts can be numbers or booleans. */
function isSamePrimitive(mapping: ValueMapping, input: PropertyValue, output: PropertyValue): boolean {
  if (mapping.kind !== "string" && mapping.kind !== "number" && mapping.kind !== "bool") return false;
  const [given, current] = [singleValue(mapping, input, []), singleValue(mapping, output, [])];
  return given.problems.length === 0 && current.problems.length === 0 && same(given.value, current.value);
}

function refreshedPlain(mapping: ValueMapping | undefined, input: PropertyValue, output: PropertyValue): PropertyValue {
  if (mapping?.kind === "only") return refreshedPlain(mapping.element, input, output);
  if (isPropertyMap(input) && isPropertyMap(output)) {
    if (mapping?.kind === "object") return refreshedInputs(mapping.object, input, output);
  }
  if (isPropertyArray(input) && isPropertyArray(output) && mapping?.kind === "list" && input.length === output.length) {
    return output.map((element, index) => refreshedValue(mapping.elements[0], input[index]!, element));
  }
  return mapping === undefined ? output : importedValue(mapping, output);
}
