// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints, sortByCodePoint } from "./code-point-order.ts";
import { crc32 } from "./crc32.ts";
import { payloadsEqual } from "./equality.ts";
import { compareNumbers, type NumberPayload } from "./number/number.ts";
import { isUnknownPayload, isWhollyKnownPayload, type Payload } from "./payload.ts";
import { exactText, hasExactText, hashText } from "./set-hash.ts";
import type { Type } from "./type.ts";

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
  add(type: Type, payload: Payload, hash: string): void {
    if (isWhollyKnownPayload(payload) && this.#has(type, payload)) return;
    this.members.push({ payload, hash });
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
  if (elementType.kind === "string") {
    const strings = stringSet(elements);
    if (strings !== undefined) return strings;
  }
  const buckets = new Map<string, Bucket>();
  for (const payload of elements) {
    const hash = hashText(elementType, payload);
    let bucket = buckets.get(hash);
    if (bucket === undefined) buckets.set(hash, (bucket = new Bucket()));
    bucket.add(elementType, payload, hash);
  }
  return [...buckets.values()]
    .flatMap((bucket) => bucket.members)
    .sort((a, b) => compareMembers(elementType, a, b))
    .map((member) => member.payload);
}

/** The most common set by far needs no hashes. Undefined if an element is not a known string. */
function stringSet(elements: readonly Payload[]): readonly string[] | undefined {
  let sorted = true;
  for (let index = 0; index < elements.length; index++) {
    const element = elements[index]!;
    if (typeof element !== "string") return undefined;
    if (sorted && index > 0 && compareCodePoints(elements[index - 1] as string, element) >= 0) sorted = false;
  }
  if (sorted) return elements as readonly string[];
  const all = sortByCodePoint([...(elements as readonly string[])]);
  return all.filter((text, index) => index === 0 || text !== all[index - 1]);
}

/** Known before unknown before null; then by value where there is an order, by the hash's text elsewhere. */
function compareMembers(type: Type, a: Member, b: Member): number {
  const rank = rankOf(a.payload) - rankOf(b.payload);
  if (rank !== 0) return rank;
  if (typeof a.payload === "string") return compareCodePoints(a.payload, b.payload as string);
  if (type.kind === "number" && rankOf(a.payload) === 0) {
    // Only 0 and -0 are neither less nor the same; they stay in the order of their buckets.
    return compareNumbers(a.payload as NumberPayload, b.payload as NumberPayload) || crc32(a.hash) - crc32(b.hash);
  }
  if (type.kind === "bool") return Number(a.payload) - Number(b.payload);
  return compareCodePoints(a.hash, b.hash);
}

function rankOf(payload: Payload): number {
  return payload === null ? 2 : isUnknownPayload(payload) ? 1 : 0;
}
