// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints, sortByCodePoint } from "./code-point-order.ts";
import { payloadsEqual } from "./equality.ts";
import { compareNumbers, type NumberPayload } from "./number/number.ts";
import { isUnknownPayload, isWhollyKnownPayload, type Payload } from "./payload.ts";
import { exactText, hasExactText, hashText } from "./set-hash.ts";
import { number, string, type Type } from "./type.ts";

interface Member {
  readonly payload: Payload;
  readonly hash: string;
}

/** From so many members with one hash on, they are found by {@link exactText}: else a set of numbers alike takes forever. */
const fullBucket = 8;

/** The members of a set with one hash. */
class Bucket {
  readonly members: Member[] = [];
  #exact: Set<string> | undefined;

  /** Adds a member unless it is known to be there. What is not wholly known equals nothing. */
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
 * The payload of a set with the given elements, none of them marked: those known to be equal once, in go-cty's order.
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
  // What comes from elsewhere mostly is a set already, in order. Different hashes are different members.
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

/** The most common set by far needs no hashes. Undefined if an element is not a known string. */
function stringSet(elements: readonly Payload[]): readonly Payload[] | undefined {
  if (!elements.every((element) => typeof element === "string")) return undefined;
  if (elements.every((text, index) => index === 0 || compareCodePoints(elements[index - 1] as string, text) < 0)) return elements;
  const sorted = sortByCodePoint([...elements]);
  return sorted.filter((text, index) => text !== sorted[index - 1]);
}

/** Known before unknown before null; then by value where there is an order, by the hash's text elsewhere. */
function compareMembers(type: Type, a: Member, b: Member): number {
  const rank = rankOf(a.payload) - rankOf(b.payload);
  if (rank !== 0) return rank;
  if (typeof a.payload === "string") return compareCodePoints(a.payload, b.payload as string);
  if (type === number && rankOf(a.payload) === 0) {
    // Only 0 and -0 are neither less nor the same: they stay in the order of their buckets, -0 first.
    return compareNumbers(a.payload as NumberPayload, b.payload as NumberPayload) || compareCodePoints(a.hash, b.hash);
  }
  return compareCodePoints(a.hash, b.hash);
}

function rankOf(payload: Payload): number {
  return payload === null ? 2 : isUnknownPayload(payload) ? 1 : 0;
}
