// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type Value } from "@tenon/cty";
import {
  isUnknownPayload,
  isWhollyKnownPayload,
  mapPayload,
  payloadsSame,
  setPayload,
  valueOf,
  type Payload,
} from "@tenon/cty/unstable/payload";
import { decodeEntry, decodePlain } from "../conversion/decode.ts";
import { objectValue } from "../conversion/encode.ts";
import { bodyOf, hasEntries, type CollectionShape, type EntryShape, type ObjectShape, type Shape } from "../shape/shape.ts";
import { elementsOf, hasContent, mapElementsOf, partOf } from "../shape/part.ts";

/** Whether two values of an entry are equivalent according to the author. Null and partly unknown values never are. */
export function isEquivalent(entry: EntryShape, a: Value, b: Value): boolean {
  const { equivalent, shape } = entry;
  if (equivalent === undefined && (hasEntries(entry) || !hasInnerEquivalent(shape))) return false;
  if (!hasContent(a) || !hasContent(b) || !isWhollyKnown(a) || !isWhollyKnown(b)) return false;
  if (equivalent === undefined) return a.type === b.type && arePayloadsEquivalent(shape, undefined, a.payload, b.payload);
  return equivalent(decodeEntry(entry, a, "recorded").value, decodeEntry(entry, b, "recorded").value);
}

/** Whether elements or members of a shape have an `equivalent` of their own. */
function hasInnerEquivalent(shape: Shape): boolean {
  if (shape.kind === "object") return shape.entries.some((entry) => entry.equivalent !== undefined || hasInnerEquivalent(entry.shape));
  return "element" in shape && (shape.elementEquivalent !== undefined || hasInnerEquivalent(shape.element));
}

/** Whether two values are equivalent in all their parts. A plan must keep a value as a whole, so every part has to be equivalent. */
function arePayloadsEquivalent(shape: Shape, equivalent: EntryShape["equivalent"], a: Payload, b: Payload): boolean {
  if (payloadsSame(shape.type, a, b)) return true;
  if (a === null || b === null) return false;
  if (equivalent !== undefined) {
    const [one, other] = [a, b].map((payload) => decodePlain(shape, valueOf(shape.type, payload), { unknown: false, null: true }).value);
    return equivalent(one, other);
  }
  switch (shape.kind) {
    case "object":
      return shape.entries.every((entry) =>
        arePayloadsEquivalent(
          entry.shape,
          entry.equivalent,
          (a as readonly Payload[])[entry.slot]!,
          (b as readonly Payload[])[entry.slot]!,
        ),
      );
    case "list":
    case "set":
      return areElementsEquivalent(shape, a as readonly Payload[], b as readonly Payload[]);
    case "map": {
      const [one, other] = [a as ReadonlyMap<string, Payload>, b as ReadonlyMap<string, Payload>];
      const same = (key: string, element: Payload): boolean =>
        other.has(key) && arePayloadsEquivalent(shape.element, shape.elementEquivalent, element, other.get(key)!);
      return one.size === other.size && [...one].every(([key, element]) => same(key, element));
    }
    default:
      return false;
  }
}

/** Whether the elements of two lists or sets are equivalent. Those of lists are compared by position, those of sets matched one to one. */
function areElementsEquivalent(shape: CollectionShape, a: readonly Payload[], b: readonly Payload[]): boolean {
  if (a.length !== b.length) return false;
  const same = (one: Payload, other: Payload): boolean => arePayloadsEquivalent(shape.element, shape.elementEquivalent, one, other);
  if (shape.kind === "list") return a.every((one, index) => same(one, b[index]!));
  const left = [...b];
  return a.every((one) => {
    const at = left.findIndex((other) => same(one, other));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/**
 * Returns a handler's result with the earlier value in place of every part that is equivalent to it.
 *
 * @param before the planned or recorded value. Its elements are matched by position, by key, or in sets by equivalence.
 * @see rule 48 in test/rules; terraform-plugin-framework internal/fwschemadata/value_semantic_equality.go
 */
export function keepEquivalent(shape: ObjectShape, before: Value, returned: Value): Value {
  if (!hasContent(before) || !hasContent(returned) || !hasEquivalent(shape)) return returned;
  return objectValue(
    shape,
    shape.entries.map((entry) => keepEntry(entry, partOf(before, entry), partOf(returned, entry))),
  );
}

const withEquivalent = new WeakMap<ObjectShape, boolean>();

/** Whether any part of the schema has an `equivalent`. Few schemas have one, and the others can skip the comparison. */
function hasEquivalent(shape: ObjectShape): boolean {
  const known = withEquivalent.get(shape);
  if (known !== undefined) return known;
  const result = shape.entries.some(
    (entry) => entry.equivalent !== undefined || (hasEntries(entry) ? hasEquivalent(bodyOf(entry)) : hasInnerEquivalent(entry.shape)),
  );
  withEquivalent.set(shape, result);
  return result;
}

function keepEntry(entry: EntryShape, before: Value, returned: Value): Value {
  if (isEquivalent(entry, before, returned)) return before;
  if (!hasContent(before) || !hasContent(returned)) return returned;
  if (!hasEntries(entry)) {
    const comparable = before.type === returned.type && hasInnerEquivalent(entry.shape);
    return comparable ? valueOf(returned.type, keepPart(entry.shape, undefined, before.payload, returned.payload)) : returned;
  }
  const body = bodyOf(entry);
  const { type } = returned;
  const element = (old: Payload | undefined, one: Payload): Payload =>
    old === undefined ? one : keepEquivalent(body, valueOf(body.type, old), valueOf(body.type, one)).payload;
  switch (entry.nesting) {
    case "list": {
      const old = elementsOf(before);
      return valueOf(
        type,
        elementsOf(returned).map((one, index) => element(old[index], one)),
      );
    }
    case "map": {
      const old = mapElementsOf(before);
      return valueOf(type, mapPayload([...mapElementsOf(returned)].map(([key, one]) => [key, element(old.get(key), one)])));
    }
    case "set":
      return valueOf(type, setPayload(body.type, keepElements(body, elementsOf(before), elementsOf(returned))));
    default:
      return keepEquivalent(body, before, returned);
  }
}

/** Keeps equivalent elements and members of a value without entries, each on its own. */
function keepPart(shape: Shape, equivalent: EntryShape["equivalent"], before: Payload, returned: Payload): Payload {
  if (before === null || returned === null || isUnknownPayload(before) || isUnknownPayload(returned)) return returned;
  const areKnown = isWhollyKnownPayload(before) && isWhollyKnownPayload(returned);
  if (areKnown && arePayloadsEquivalent(shape, equivalent, before, returned)) return before;
  switch (shape.kind) {
    case "object": {
      const [old, one] = [before as readonly Payload[], returned as readonly Payload[]];
      return shape.entries.map((entry) => keepPart(entry.shape, entry.equivalent, old[entry.slot]!, one[entry.slot]!));
    }
    case "list": {
      const old = before as readonly Payload[];
      return (returned as readonly Payload[]).map((one, index) =>
        index < old.length ? keepPart(shape.element, shape.elementEquivalent, old[index]!, one) : one,
      );
    }
    case "map": {
      const old = before as ReadonlyMap<string, Payload>;
      const kept = [...(returned as ReadonlyMap<string, Payload>)].map(
        ([key, one]) => [key, old.has(key) ? keepPart(shape.element, shape.elementEquivalent, old.get(key)!, one) : one] as const,
      );
      return mapPayload(kept);
    }
    case "set": {
      const left = new Set((before as readonly Payload[]).filter(isWhollyKnownPayload));
      const kept = (returned as readonly Payload[]).map((one) => {
        const same = [...left].find((old) => arePayloadsEquivalent(shape.element, shape.elementEquivalent, old, one));
        if (same === undefined) return one;
        left.delete(same);
        return same;
      });
      return setPayload(shape.element.type, kept);
    }
    default:
      return returned;
  }
}

/**
 * Replaces each element of a set with the equivalent element of the earlier set, if it has an unused one. Values that were unknown in the
 * earlier element come from the result. As many elements as possible are matched.
 */
function keepElements(body: ObjectShape, before: readonly Payload[], returned: readonly Payload[]): readonly Payload[] {
  const candidates = before.filter((old) => !isUnknownPayload(old));
  // Match wholly known elements first.
  const unused = new Set([...candidates.filter(isWhollyKnownPayload), ...candidates]);
  /** The index of the returned element that each earlier one is matched with. */
  const matches = new Map<Payload, number>();
  const result = [...returned];
  const match = (index: number, tried: Set<Payload>): boolean => {
    const keptAs = (old: Payload): Payload | undefined => {
      const kept = keepEquivalent(body, valueOf(body.type, old), valueOf(body.type, returned[index]!)).payload;
      return agreesWhereKnown(body, old, kept) ? kept : undefined;
    };
    const use = (old: Payload, kept: Payload): true => {
      unused.delete(old);
      matches.set(old, index);
      result[index] = kept;
      return true;
    };
    for (const old of unused) {
      const kept = keptAs(old);
      if (kept !== undefined) return use(old, kept);
    }
    // Every earlier element that fits is matched: move one of its elements to another.
    for (const [old, holder] of matches) {
      if (tried.has(old)) continue;
      const kept = keptAs(old);
      if (kept === undefined) continue;
      tried.add(old);
      if (match(holder, tried)) return use(old, kept);
    }
    return false;
  };
  for (const index of returned.keys()) match(index, new Set());
  return result;
}

/** Whether a value agrees with an earlier one in all parts that were known. */
function agreesWhereKnown(shape: Shape, before: Payload, now: Payload): boolean {
  if (isUnknownPayload(before) || payloadsSame(shape.type, before, now)) return true;
  if (before === null || now === null || isUnknownPayload(now)) return false;
  switch (shape.kind) {
    case "object":
      return shape.entries.every((entry) =>
        agreesWhereKnown(entry.shape, (before as readonly Payload[])[entry.slot]!, (now as readonly Payload[])[entry.slot]!),
      );
    case "list":
    case "set": {
      const [old, left] = [before as readonly Payload[], [...(now as readonly Payload[])]];
      if (old.length !== left.length) return false;
      if (shape.kind === "list") return old.every((one, index) => agreesWhereKnown(shape.element, one, left[index]!));
      return old.every((one) => {
        const at = left.findIndex((other) => agreesWhereKnown(shape.element, one, other));
        if (at >= 0) left.splice(at, 1);
        return at >= 0;
      });
    }
    case "map": {
      const [old, one] = [before as ReadonlyMap<string, Payload>, now as ReadonlyMap<string, Payload>];
      return (
        old.size === one.size && [...old].every(([key, element]) => one.has(key) && agreesWhereKnown(shape.element, element, one.get(key)!))
      );
    }
    default:
      return false;
  }
}
