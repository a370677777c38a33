// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type Path, type Type, type Value } from "@tenon/cty";
import { isUnknownPayload, setPayload, UNKNOWN, valueOf, type Payload, type UnknownPayload } from "@tenon/cty/unstable/payload";
import { partsOf } from "./value-parts.ts";

/** Returns the value with null in place of every unknown value. Set elements that become equal are merged. @see go-cty UnknownAsNull */
export function unknownAsNull(value: Value): Value {
  return isWhollyKnown(value) ? value : valueOf(value.type, replaced(value.type, value.payload, null));
}

/** Returns the value with unrefined unknown values. */
export function withoutRefinements(value: Value): Value {
  return isWhollyKnown(value) ? value : valueOf(value.type, replaced(value.type, value.payload, UNKNOWN));
}

/** Returns the paths of all unknown values in a value, including the value itself. */
export function unknownPaths(value: Value): Path[] {
  if (isUnknownPayload(value.payload)) return [[]];
  if (isWhollyKnown(value)) return [];
  const paths: Path[] = [];
  for (const part of partsOf(value)) for (const path of unknownPaths(part.value)) paths.push([part.step, ...path]);
  return paths;
}

function replaced(type: Type, payload: Payload, unknown: UnknownPayload | null): Payload {
  if (typeof payload !== "object" || payload === null) return payload;
  if (isUnknownPayload(payload)) return unknown;
  switch (type.kind) {
    case "list":
      return (payload as readonly Payload[]).map((element) => replaced(type.element, element, unknown));
    case "set":
      return setPayload(
        type.element,
        (payload as readonly Payload[]).map((element) => replaced(type.element, element, unknown)),
      );
    case "tuple":
      return (payload as readonly Payload[]).map((element, index) => replaced(type.elements[index]!, element, unknown));
    case "object":
      return (payload as readonly Payload[]).map((slot, index) => replaced(type.attributes[type.names[index]!]!, slot, unknown));
    case "map":
      return new Map(
        [...(payload as ReadonlyMap<string, Payload>)].map(([key, element]) => [key, replaced(type.element, element, unknown)]),
      );
    default:
      return payload;
  }
}
