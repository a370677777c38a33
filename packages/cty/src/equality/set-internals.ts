// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints, sortByCodePoint } from "../text/code-point-order.ts";
import { payloadsEqual } from "./equality.ts";
import { compareNumbers } from "../number/number.ts";
import type { NumberPayload } from "../payload/number-payload.ts";
import { isUnknownPayload, isWhollyKnownPayload, type Payload } from "../payload/payload.ts";
import { exactText, hasExactText, hashText } from "./set-hash.ts";
import { number, string } from "../type/type.ts";
import type { Type } from "../model/type.ts";

interface Member {
  readonly payload: Payload;
  readonly hash: string;
}

/** Number of members with one hash from which members are found by {@link exactText}, to avoid quadratic time. */
const fullBucket = 8;

/** The members of a set with one hash. */
class Bucket {
  readonly members: Member[] = [];
  #exact: Set<string> | undefined;

  /** Adds a member unless an equal one is known to exist. A payload with unknown parts equals no other. */
  add(type: Type, member: Member): void {
    if (!isWhollyKnownPayload(member.payload) || !this.#has(type, member.payload)) this.members.push(member);
  }

  #has(type: Type, payload: Payload): boolean {
    if (this.members.length < fullBucket || !hasExactText(type)) {
      return this.members.some((member) => payloadsEqual(type, member.payload, payload) === true);
    }
    this.#exact ??= new Set(this.members.map((member) => exactText(type, member.payload)));
    const text = exactText(type, payload);
    const known = this.#exact.has(text);
    this.#exact.add(text);
    return known;
  }
}

/**
 * Returns the payload of a set with the given elements, which must not be marked. Elements that are known to be equal occur once. The
 * order is go-cty's.
 *
 * @see go-cty setRules, set.Set.Values
 */
export function setPayload(elementType: Type, elements: readonly Payload[]): readonly Payload[] {
  if (elements.length < 2) return elements;
  if (elementType === string) {
    const strings = stringSet(elements);
    if (strings !== undefined) return strings;
  }
  const members = elements.map((payload): Member => ({ payload, hash: hashText(elementType, payload) }));
  // Decoded elements usually are a set already, in order. Members with different hashes are different.
  const isSet = members.every((member, index) => index === 0 || isBefore(elementType, members[index - 1]!, member));
  if (isSet) return elements;
  const buckets = new Map<string, Bucket>();
  for (const member of members) {
    let bucket = buckets.get(member.hash);
    if (bucket === undefined) buckets.set(member.hash, (bucket = new Bucket()));
    bucket.add(elementType, member);
  }
  return [...buckets.values()]
    .flatMap((bucket) => bucket.members)
    .sort((a, b) => compareMembers(elementType, a, b))
    .map((member) => member.payload);
}

function isBefore(type: Type, a: Member, b: Member): boolean {
  return a.hash !== b.hash && compareMembers(type, a, b) < 0;
}

/** Returns the payload of a set of strings, which needs no hashes; undefined if an element is not a known string. */
function stringSet(elements: readonly Payload[]): readonly Payload[] | undefined {
  if (!elements.every((element) => typeof element === "string")) return undefined;
  if (elements.every((text, index) => index === 0 || compareCodePoints(elements[index - 1] as string, text) < 0)) return elements;
  const sorted = sortByCodePoint([...elements]);
  return sorted.filter((text, index) => text !== sorted[index - 1]);
}

/** Orders known members before unknown ones and null last; then by value for strings and numbers, and by the hash's text otherwise. */
function compareMembers(type: Type, a: Member, b: Member): number {
  const rank = rankOf(a.payload) - rankOf(b.payload);
  if (rank !== 0) return rank;
  if (typeof a.payload === "string") return compareCodePoints(a.payload, b.payload as string);
  if (type === number && rankOf(a.payload) === 0) {
    // Only 0 and -0 compare as equal but have different hashes. -0 comes first.
    return compareNumbers(a.payload as NumberPayload, b.payload as NumberPayload) || compareCodePoints(a.hash, b.hash);
  }
  return compareCodePoints(a.hash, b.hash);
}

function rankOf(payload: Payload): number {
  return payload === null ? 2 : isUnknownPayload(payload) ? 1 : 0;
}
