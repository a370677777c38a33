// SPDX-License-Identifier: Apache-2.0
// Properties that hold for all values.
import fc from "fast-check";
import { describe, test } from "vitest";
import { containsMarked, equals, isWhollyKnown, mark, marks, number, same, unmark, unmarkDeep, type Value } from "../src/index.ts";
import { markWithPaths, transform, unmarkDeepWithPaths, walk } from "../src/paths/index.ts";
import {
  compareCodePoints,
  isInfiniteNumber,
  isNumberPayload,
  mapChildPayloads,
  markedPayload,
  setPayload,
  valueOf,
  type Payload,
} from "../src/unstable/payload.ts";
import * as json from "../src/json/index.ts";
import * as msgpack from "../src/msgpack/index.ts";
import { typedValues, types, valuesOf } from "./arbitrary.ts";

const names = ["a", "b", "c"];

/** The value with marks on some of its parts, selected by `chosen`. A value with a set is marked only as a whole, because elements of sets cannot be marked. */
function withSomeMarks(value: Value, chosen: readonly number[]): Value {
  let at = 0;
  const visit = (payload: Payload, kind: string): Payload => {
    const choice = chosen[at++ % chosen.length]!;
    const inside = kind === "set" ? payload : mapChildPayloads(payload, (child) => visit(child, "other"));
    return choice < names.length ? markedPayload(inside, new Set([names[choice]])) : inside;
  };
  return hasSet(value) ? mark(value, names[chosen[0]! % names.length]) : valueOf(value.type, visit(value.payload, value.type.kind));
}

function some(value: Value, holds: (part: Value) => boolean): boolean {
  let found = false;
  walk(value, (_, part) => {
    found ||= holds(part);
  });
  return found;
}

const hasSet = (value: Value): boolean => some(value, ({ type }) => type.kind === "set");
const hasInfinity = (value: Value): boolean => some(value, ({ payload }) => isNumberPayload(payload) && isInfiniteNumber(payload));

const chosen = fc.array(fc.nat({ max: 7 }), { minLength: 1, maxLength: 9 });

describe("`same`", () => {
  test("is an equivalence", ({ expect }) => {
    const three = types.chain((type) => fc.array(valuesOf(type, { unknown: true }), { minLength: 3, maxLength: 3 }));
    fc.assert(
      fc.property(three, fc.boolean(), ([a, b, c], again) => {
        // Without copies, two generated values would hardly ever be the same.
        const copy = again ? msgpack.decode(msgpack.encode(a!, a!.type), a!.type) : b!;
        expect(same(a!, a!)).toBe(true);
        expect(same(a!, copy)).toBe(same(copy, a!));
        if (same(a!, copy) && same(copy, c!)) expect(same(a!, c!)).toBe(true);
      }),
    );
  });

  test("agrees with `equals` for known values", ({ expect }) => {
    const two = types.chain((type) => fc.tuple(valuesOf(type, { unknown: false }), valuesOf(type, { unknown: false })));
    fc.assert(
      fc.property(two, ([a, b]) => {
        expect(equals(a, b).payload).toBe(same(a, b));
        expect(isWhollyKnown(equals(a, b))).toBe(true);
      }),
    );
  });
});

describe("formats", () => {
  test("decode an encoded type to the same type", ({ expect }) => {
    fc.assert(
      fc.property(types, (type) => {
        expect(json.decodeType(json.encodeType(type))).toBe(type);
      }),
    );
  });

  test("decode an encoded value to the same value: msgpack all, JSON known and finite ones", ({ expect }) => {
    fc.assert(
      fc.property(typedValues({ unknown: true }), (value) => {
        const back = msgpack.decode(msgpack.encode(value, value.type), value.type);
        expect(msgpack.encode(back, value.type)).toEqual(msgpack.encode(value, value.type));
        if (isWhollyKnown(value) && !hasInfinity(value)) {
          const text = json.encode(value, value.type);
          expect(json.encode(json.decode(text, value.type), value.type)).toBe(text);
        }
      }),
    );
  });
});

describe("a set", () => {
  test("has the same order for every order of its input", ({ expect }) => {
    const shuffled = types.chain((type) =>
      fc
        .array(valuesOf(type, { unknown: false }), { minLength: 2, maxLength: 12 })
        .chain((values) => fc.tuple(fc.constant(type), fc.constant(values), fc.shuffledSubarray(values, { minLength: values.length }))),
    );
    fc.assert(
      fc.property(shuffled, ([type, some, others]) => {
        const once = setPayload(type, payloadsOf(some));
        const other = setPayload(type, payloadsOf(others));
        expect(other.length).toBe(once.length);
        for (const [index, payload] of once.entries()) expect(same(valueOf(type, payload), valueOf(type, other[index]!))).toBe(true);
        expect(setPayload(type, once)).toEqual(once);
      }),
    );
  });

  test("has a total order of known elements", ({ expect }) => {
    const three = types.chain((type) =>
      fc.tuple(fc.constant(type), fc.array(valuesOf(type, { unknown: false }), { minLength: 3, maxLength: 3 })),
    );
    fc.assert(
      fc.property(three, ([type, values]) => {
        const [a, b, c] = payloadsOf(values) as [Payload, Payload, Payload];
        const is = (one: Payload, other: Payload): boolean => same(valueOf(type, one), valueOf(type, other));
        const first = (one: Payload, other: Payload): Payload => setPayload(type, [one, other])[0]!;
        expect(is(first(a, b), first(b, a))).toBe(true);
        expect(is(first(a, b), a) || is(first(a, b), b)).toBe(true);
        // The first of all three comes before each other element.
        const [least] = setPayload(type, [a, b, c]) as [Payload];
        for (const other of [a, b, c]) expect(is(first(least, other), least)).toBe(true);
      }),
    );
  });

  test("finds duplicates among many elements with one hash", ({ expect }) => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 40 }), { minLength: 20, maxLength: 60 }), (ends) => {
        // These numbers have the same ten digits, and so the same hash.
        const elements = ends.map((end) => 1 + end * 1e-14);
        const whole = setPayload(number, elements);
        expect(whole).toEqual([...new Set(elements)].sort((a, b) => a - b));
      }),
    );
  });
});

describe("marks", () => {
  test("are restored at their paths", ({ expect }) => {
    fc.assert(
      fc.property(typedValues({ unknown: true }), chosen, (value, choices) => {
        const marked = withSomeMarks(value, choices);
        const [plain, places] = unmarkDeepWithPaths(marked);
        expect(containsMarked(plain)).toBe(false);
        expect(same(plain, value)).toBe(true);
        expect(same(markWithPaths(plain, places), marked)).toBe(true);
        const found = new Set(places.flatMap((place) => Array.from(place.marks)));
        expect(unmarkDeep(marked)[1]).toEqual(found);
      }),
    );
  });

  test("are added to a value and removed from it", ({ expect }) => {
    fc.assert(
      fc.property(typedValues({ unknown: true }), (value) => {
        const [plain, taken] = unmark(mark(value, "x", "y"));
        expect(plain.payload).toBe(value.payload);
        expect([...taken]).toEqual(["x", "y"]);
        expect([...marks(mark(mark(value, "x"), "x"))]).toEqual(["x"]);
      }),
    );
  });
});

describe("transform", () => {
  test("returns the same value if nothing changes", ({ expect }) => {
    fc.assert(
      fc.property(typedValues({ unknown: true }), chosen, (value, choices) => {
        const marked = withSomeMarks(value, choices);
        expect(transform(marked, (_, part) => part)).toBe(marked);
        expect(transform(marked, { enter: (_, part) => part })).toBe(marked);
      }),
    );
  });
});

test("code points have a total order", ({ expect }) => {
  const text = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      expect(Math.sign(compareCodePoints(a, b))).toBe(-Math.sign(compareCodePoints(b, a)) || 0);
      if (compareCodePoints(a, b) <= 0 && compareCodePoints(b, c) <= 0) expect(compareCodePoints(a, c)).toBeLessThanOrEqual(0);
      expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
    }),
  );
});

function payloadsOf(values: readonly Value[]): Payload[] {
  return values.map((value) => value.payload);
}
