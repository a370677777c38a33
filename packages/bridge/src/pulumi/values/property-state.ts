// SPDX-License-Identifier: Apache-2.0
import { isNull, type Value } from "@tenon/cty";
import { isNumberPayload, isUnknownPayload, numberText, numberToDouble, type Payload, valueOf } from "@tenon/cty/unstable/payload";
import type { ObjectMapping, PackageMapping, ValueMapping } from "../mapping/mapping.ts";
import { secretProperty, type PropertyMap, type PropertyValue, type UnknownKind, unknownProperty } from "../property/property-value.ts";
import { elementsOf, entriesOf } from "../../value-parts.ts";

/** Options of a conversion to properties. */
export interface PropertyOptions {
  /** Whether sensitive values are marked as secret. Default: true. */
  readonly secrets?: boolean;
  /** Form of numbers that a double cannot hold. Default: `rounded`. */
  readonly numbers?: NumberForm;
}

/**
 * Form of numbers that a double cannot hold:
 *
 * - `rounded`: the nearest double, as in the Go bridge.
 * - `text`: the decimal text. In values of a dynamic type, the nearest double, because the provider would receive a text as a string.
 * - `comparable`: the decimal text everywhere, for comparisons.
 */
export type NumberForm = "rounded" | "text" | "comparable";

/** Form of numbers in the outputs of a package. */
export function numberForm({ exactNumbers }: Pick<PackageMapping, "exactNumbers">): NumberForm {
  return exactNumbers ? "text" : "rounded";
}

/** Converts the value of a block to properties. Attributes that are null become null. */
export function propertiesOf(mapping: ObjectMapping, value: Value, options: PropertyOptions = {}): PropertyMap {
  return new Conversion(options).object(mapping, value);
}

/** Converts one value, such as the result of a function. */
export function propertyOf(mapping: ValueMapping, value: Value, options: PropertyOptions = {}): PropertyValue {
  return new Conversion(options).value(mapping, value);
}

class Conversion {
  readonly #options: PropertyOptions;

  constructor(options: PropertyOptions) {
    this.#options = options;
  }

  object(mapping: ObjectMapping, value: Value): PropertyMap {
    const { type, payload } = value;
    if (type.kind !== "object" || !Array.isArray(payload)) return new Map();
    const slots = payload as readonly Payload[];
    const properties = new Map<string, PropertyValue>();
    for (const { property, attribute, value: part, sensitive } of mapping.properties) {
      const slot = type.slots.get(attribute);
      if (slot === undefined) continue;
      const converted = this.value(part, valueOf(type.attributes[attribute]!, slots[slot]!));
      const isSecret = sensitive && this.#options.secrets !== false && converted !== null && !isUnknownPayload(slots[slot]!);
      properties.set(property, isSecret ? secretProperty(converted) : converted);
    }
    return properties;
  }

  value(mapping: ValueMapping, value: Value): PropertyValue {
    const { type, payload } = value;
    if (isUnknownPayload(payload)) return unknownProperty(unknownKind(mapping));
    if (isNull(value)) return null;
    if (typeof payload === "string" || typeof payload === "boolean") return payload;
    if (isNumberPayload(payload)) return this.#number(payload, mapping);
    switch (mapping.kind) {
      case "object":
        return this.object(mapping.object, value);
      case "only": {
        const [first] = elementsOf(value);
        return first === undefined ? null : this.value(mapping.element, first);
      }
      case "list":
      case "set":
        return elementsOf(value).map((element) => this.value(mapping.elements[0]!, element));
      case "tuple":
        return elementsOf(value).map((element, index) => this.value(mapping.elements[index]!, element));
      case "map":
        return new Map(entriesOf(value).map(([key, element]) => [key, this.value(mapping.element, element)]));
      default:
        return type.kind === "object" || type.kind === "map"
          ? new Map(entriesOf(value).map(([key, element]) => [key, this.value(mapping, element)]))
          : elementsOf(value).map((element) => this.value(mapping, element));
    }
  }

  #number(payload: Parameters<typeof numberText>[0], { kind }: ValueMapping): number | string {
    const double = numberToDouble(payload);
    if (double !== undefined) return double;
    const text = numberText(payload);
    const { numbers = "rounded" } = this.#options;
    return numbers === "rounded" || (numbers === "text" && kind === "dynamic") ? Number(text) : text;
  }
}

function unknownKind({ kind }: ValueMapping): UnknownKind {
  switch (kind) {
    case "number":
    case "bool":
      return kind;
    case "list":
    case "set":
    case "tuple":
      return "array";
    case "map":
    case "object":
    case "only":
      return "object";
    default:
      return "string";
  }
}
