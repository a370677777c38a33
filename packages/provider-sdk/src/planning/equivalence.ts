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
import { bodyOf, hasEntries, type CollectionShape, type EntryShape, type ObjectShape, type Shape } from "../schema/shape.ts";
import { elementsOf, hasContent, mapElementsOf, partOf } from "./part.ts";

/** Whether the author says that two values of an entry mean the same. Without content, or where something is unknown, they do not. */
export function isEquivalent(entry: EntryShape, a: Value, b: Value): boolean {
  const { equivalent, shape } = entry;
  if (equivalent === undefined && (hasEntries(entry) || !asksInside(shape))) return false;
  if (!hasContent(a) || !hasContent(b) || !isWhollyKnown(a) || !isWhollyKnown(b)) return false;
  if (equivalent === undefined) return a.type === b.type && meansSame(shape, undefined, a.payload, b.payload);
  return equivalent(decodeEntry(entry, a, "recorded").value, decodeEntry(entry, b, "recorded").value);
}

/** Whether elements or members of a value have an `equivalent` of their own. */
function asksInside(shape: Shape): boolean {
  if (shape.kind === "object") return shape.entries.some((entry) => entry.equivalent !== undefined || asksInside(entry.shape));
  return "element" in shape && (shape.elementEquivalent !== undefined || asksInside(shape.element));
}

/** Whether two values mean the same, part by part: all of it is kept or nothing, as a plan must have one or the other. */
function meansSame(shape: Shape, equivalent: EntryShape["equivalent"], a: Payload, b: Payload): boolean {
  if (payloadsSame(shape.type, a, b)) return true;
  if (a === null || b === null) return false;
  if (equivalent !== undefined) {
    const [one, other] = [a, b].map((payload) => decodePlain(shape, valueOf(shape.type, payload), { unknown: false, null: true }).value);
    return equivalent(one, other);
  }
  switch (shape.kind) {
    case "object":
      return shape.entries.every((entry) =>
        meansSame(entry.shape, entry.equivalent, (a as readonly Payload[])[entry.slot]!, (b as readonly Payload[])[entry.slot]!),
      );
    case "list":
    case "set":
      return elementsMeanSame(shape, a as readonly Payload[], b as readonly Payload[]);
    case "map": {
      const [one, other] = [a as ReadonlyMap<string, Payload>, b as ReadonlyMap<string, Payload>];
      const same = (key: string, element: Payload): boolean =>
        other.has(key) && meansSame(shape.element, shape.elementEquivalent, element, other.get(key)!);
      return one.size === other.size && [...one].every(([key, element]) => same(key, element));
    }
    default:
      return false;
  }
}

/** Elements of a set are matched one to one. */
function elementsMeanSame(shape: CollectionShape, a: readonly Payload[], b: readonly Payload[]): boolean {
  if (a.length !== b.length) return false;
  const same = (one: Payload, other: Payload): boolean => meansSame(shape.element, shape.elementEquivalent, one, other);
  if (shape.kind === "list") return a.every((one, index) => same(one, b[index]!));
  const left = [...b];
  return a.every((one) => {
    const at = left.findIndex((other) => same(one, other));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/**
 * What a handler answered, with what was there before wherever it means the same.
 *
 * @param before what was planned or recorded; its elements are found by position, key, or by being the same.
 * @see framework rule 48: terraform-plugin-framework internal/fwschemadata/value_semantic_equality.go
 */
export function keepEquivalent(shape: ObjectShape, before: Value, answered: Value): Value {
  if (!hasContent(before) || !hasContent(answered) || !asksForEquivalence(shape)) return answered;
  return objectValue(
    shape,
    shape.entries.map((entry) => keepEntry(entry, partOf(before, entry), partOf(answered, entry))),
  );
}

const asked = new WeakMap<ObjectShape, boolean>();

/** Whether anything in the schema has an `equivalent`: few have, and the others need no second look. */
function asksForEquivalence(shape: ObjectShape): boolean {
  const known = asked.get(shape);
  if (known !== undefined) return known;
  const result = shape.entries.some(
    (entry) => entry.equivalent !== undefined || (hasEntries(entry) ? asksForEquivalence(bodyOf(entry)) : asksInside(entry.shape)),
  );
  asked.set(shape, result);
  return result;
}

function keepEntry(entry: EntryShape, before: Value, answered: Value): Value {
  if (isEquivalent(entry, before, answered)) return before;
  if (!hasContent(before) || !hasContent(answered)) return answered;
  if (!hasEntries(entry)) {
    const comparable = before.type === answered.type && asksInside(entry.shape);
    return comparable ? valueOf(answered.type, keepPart(entry.shape, undefined, before.payload, answered.payload)) : answered;
  }
  const body = bodyOf(entry);
  const { type } = answered;
  const element = (old: Payload | undefined, one: Payload): Payload =>
    old === undefined ? one : keepEquivalent(body, valueOf(body.type, old), valueOf(body.type, one)).payload;
  switch (entry.nesting) {
    case "list": {
      const old = elementsOf(before);
      return valueOf(
        type,
        elementsOf(answered).map((one, index) => element(old[index], one)),
      );
    }
    case "map": {
      const old = mapElementsOf(before);
      return valueOf(type, mapPayload([...mapElementsOf(answered)].map(([key, one]) => [key, element(old.get(key), one)])));
    }
    case "set":
      return valueOf(type, setPayload(body.type, keepElements(body, elementsOf(before), elementsOf(answered))));
    default:
      return keepEquivalent(body, before, answered);
  }
}

/** The same for elements and members of a value that has no entries: each is kept by itself. */
function keepPart(shape: Shape, equivalent: EntryShape["equivalent"], before: Payload, answered: Payload): Payload {
  if (before === null || answered === null || isUnknownPayload(before) || isUnknownPayload(answered)) return answered;
  const areKnown = isWhollyKnownPayload(before) && isWhollyKnownPayload(answered);
  if (areKnown && meansSame(shape, equivalent, before, answered)) return before;
  switch (shape.kind) {
    case "object": {
      const [old, one] = [before as readonly Payload[], answered as readonly Payload[]];
      return shape.entries.map((entry) => keepPart(entry.shape, entry.equivalent, old[entry.slot]!, one[entry.slot]!));
    }
    case "list": {
      const old = before as readonly Payload[];
      return (answered as readonly Payload[]).map((one, index) =>
        index < old.length ? keepPart(shape.element, shape.elementEquivalent, old[index]!, one) : one,
      );
    }
    case "map": {
      const old = before as ReadonlyMap<string, Payload>;
      const kept = [...(answered as ReadonlyMap<string, Payload>)].map(
        ([key, one]) => [key, old.has(key) ? keepPart(shape.element, shape.elementEquivalent, old.get(key)!, one) : one] as const,
      );
      return mapPayload(kept);
    }
    case "set": {
      const left = new Set((before as readonly Payload[]).filter(isWhollyKnownPayload));
      const kept = (answered as readonly Payload[]).map((one) => {
        const same = [...left].find((old) => meansSame(shape.element, shape.elementEquivalent, old, one));
        if (same === undefined) return one;
        left.delete(same);
        return same;
      });
      return setPayload(shape.element.type, kept);
    }
    default:
      return answered;
  }
}

/**
 * An element of a set becomes the one of before that it means the same as, if there is one that no other has become. What was not
 * known of that one is as it was answered.
 */
function keepElements(body: ObjectShape, before: readonly Payload[], answered: readonly Payload[]): readonly Payload[] {
  const candidates = before.filter((old) => !isUnknownPayload(old));
  // What is known for certain is recognised first.
  const left = new Set([...candidates.filter(isWhollyKnownPayload), ...candidates]);
  return answered.map((one) => {
    for (const old of left) {
      const kept = keepEquivalent(body, valueOf(body.type, old), valueOf(body.type, one)).payload;
      if (!agreesWhereKnown(body, old, kept)) continue;
      left.delete(old);
      return kept;
    }
    return one;
  });
}

/** Whether a value is another one of which not all was known. */
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
