// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type Value } from "@tenon/cty";
import { isUnknownPayload, mapPayload, setPayload, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { decodeEntry } from "../conversion/decode.ts";
import { objectValue } from "../conversion/encode.ts";
import { bodyOf, hasEntries, type EntryShape, type ObjectShape } from "../schema/shape.ts";
import { elementsOf, hasContent, isSame, mapElementsOf, partOf } from "./part.ts";

/** Whether the author says that two values of an entry mean the same. Without content, or where something is unknown, they do not. */
export function isEquivalent(entry: EntryShape, a: Value, b: Value): boolean {
  const { equivalent } = entry;
  if (equivalent === undefined || !hasContent(a) || !hasContent(b) || !isWhollyKnown(a) || !isWhollyKnown(b)) return false;
  return equivalent(decodeEntry(entry, a, "recorded").value, decodeEntry(entry, b, "recorded").value);
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
  const result = shape.entries.some((entry) => entry.equivalent !== undefined || (hasEntries(entry) && asksForEquivalence(bodyOf(entry))));
  asked.set(shape, result);
  return result;
}

function keepEntry(entry: EntryShape, before: Value, answered: Value): Value {
  if (isEquivalent(entry, before, answered)) return before;
  if (!hasEntries(entry) || !hasContent(before) || !hasContent(answered)) return answered;
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

/** An element of a set becomes the one of before that it means the same as, if there is one that no other has become. */
function keepElements(body: ObjectShape, before: readonly Payload[], answered: readonly Payload[]): readonly Payload[] {
  const left = new Set(before);
  return answered.map((one) => {
    for (const old of left) {
      if (isUnknownPayload(old)) continue;
      const kept = keepEquivalent(body, valueOf(body.type, old), valueOf(body.type, one));
      if (!isSame(kept, valueOf(body.type, old))) continue;
      left.delete(old);
      return old;
    }
    return one;
  });
}
