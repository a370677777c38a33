// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import {
  isUnknownPayload,
  mapPayload,
  numberToDouble,
  payloadsSame,
  setPayload,
  valueOf,
  type NumberPayload,
  type Payload,
} from "@tenon/cty/unstable/payload";
import { nearestDouble } from "../shape/nearest-double.ts";
import type { Shape } from "../shape/shape.ts";

/**
 * Returns a handler's value with exact numbers in place of the doubles that represented them.
 *
 * A handler receives the nearest double of a number such as 1/3. If it returns that double, the core still expects the exact number.
 *
 * @param sources values that the handler received, in order of precedence. Elements are matched by position, by key, or in sets by value.
 * @see terraform-plugin-framework types/basetypes/float64_value.go, Float64SemanticEquals
 */
export function keepExactNumbers(shape: Shape, sources: readonly Value[], returned: Value): Value {
  const inexact = sources.filter(({ payload }) => holdsInexactNumber(shape, payload));
  if (inexact.length === 0) return returned;
  return valueOf(
    returned.type,
    keepPart(
      shape,
      inexact.map(({ payload }) => payload),
      returned.payload,
    ),
  );
}

/** Whether an `attr.number` in the value is not exactly representable as a double. */
function holdsInexactNumber(shape: Shape, payload: Payload): boolean {
  if (payload === null || isUnknownPayload(payload) || !hasNumbers(shape)) return false;
  switch (shape.kind) {
    case "number":
      return numberToDouble(payload as NumberPayload) === undefined;
    case "object":
      return shape.entries.some((entry) => holdsInexactNumber(entry.shape, (payload as readonly Payload[])[entry.slot]!));
    case "list":
    case "set":
      return (payload as readonly Payload[]).some((element) => holdsInexactNumber(shape.element, element));
    case "map":
      return [...(payload as ReadonlyMap<string, Payload>).values()].some((element) => holdsInexactNumber(shape.element, element));
    default:
      return false;
  }
}

const known = new WeakMap<Shape, boolean>();

/** Whether a shape contains an `attr.number`. */
function hasNumbers(shape: Shape): boolean {
  const found = known.get(shape);
  if (found !== undefined) return found;
  const result =
    shape.kind === "number" ||
    (shape.kind === "object" ? shape.entries.some((entry) => hasNumbers(entry.shape)) : "element" in shape && hasNumbers(shape.element));
  known.set(shape, result);
  return result;
}

function keepPart(shape: Shape, before: readonly Payload[], returned: Payload): Payload {
  const sources = before.filter((source) => source !== null && source !== undefined && !isUnknownPayload(source));
  if (sources.length === 0 || returned === null || isUnknownPayload(returned) || !hasNumbers(shape)) return returned;
  switch (shape.kind) {
    case "number": {
      const double = numberToDouble(returned as NumberPayload);
      const same = sources.find((source) => double !== undefined && nearestDouble(source as NumberPayload) === double);
      return same ?? returned;
    }
    case "object":
      return shape.entries.map((entry) => {
        const inside = sources.map((source) => (source as readonly Payload[])[entry.slot]!);
        return keepPart(entry.shape, inside, (returned as readonly Payload[])[entry.slot]!);
      });
    case "list":
      return (returned as readonly Payload[]).map((element, index) => {
        const inside = sources.map((source) => (source as readonly Payload[])[index]!);
        return keepPart(shape.element, inside, element);
      });
    case "map":
      return mapPayload(
        [...(returned as ReadonlyMap<string, Payload>)].map(([key, element]) => {
          const inside = sources.map((source) => (source as ReadonlyMap<string, Payload>).get(key)!);
          return [key, keepPart(shape.element, inside, element)] as const;
        }),
      );
    case "set":
      return setPayload(
        shape.element.type,
        keepElements(shape.element, sources as readonly (readonly Payload[])[], returned as readonly Payload[]),
      );
    default:
      return returned;
  }
}

/** Elements of a set have no keys: replaces each element with the equal element of a source. Each source element is used once. */
function keepElements(shape: Shape, sources: readonly (readonly Payload[])[], returned: readonly Payload[]): readonly Payload[] {
  const unused = sources.map((source) => new Set(source));
  return returned.map((element) => {
    for (const candidates of unused) {
      for (const candidate of candidates) {
        const kept = keepPart(shape, [candidate], element);
        if (!payloadsSame(shape.type, kept, candidate)) continue;
        candidates.delete(candidate);
        return kept;
      }
    }
    return element;
  });
}
