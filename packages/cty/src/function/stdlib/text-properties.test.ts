// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { test } from "vitest";
import { list, number, of, string, toJs, type Value } from "../../index.ts";
import type { CtyFunction } from "../index.ts";
import { formatFunc } from "./format.ts";
import { jsonDecodeFunc, jsonEncodeFunc } from "./json.ts";
import { parseInteger } from "./number/parse-integer.ts";
import { regexAllFunc } from "./regexp.ts";
import { replaceFunc } from "./string-replace.ts";
import { joinFunc, reverseFunc, splitFunc, strlenFunc, substrFunc } from "./string.ts";

const text = fc.string({ unit: "grapheme" }).map((drawn) => drawn.normalize("NFC"));
const call = (called: CtyFunction, ...args: readonly Value[]): unknown => toJs(called.call(args));
const str = (value: string): Value => of(string, value);

test("join reverses split", ({ expect }) => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]*$/), { minLength: 1 }), (parts) => {
      const joined = call(joinFunc, str(","), of(list(string), parts)) as string;
      expect(call(splitFunc, str(","), str(joined))).toEqual(parts);
    }),
  );
});

test("substr returns parts of the given length, which make up the text", ({ expect }) => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z👍é]*$/u), fc.nat(8), (drawn, at) => {
      const length = call(strlenFunc, str(drawn)) as number;
      const head = at === 0 ? "" : (call(substrFunc, str(drawn), of(number, 0), of(number, at)) as string);
      const tail = call(substrFunc, str(drawn), of(number, at), of(number, -1)) as string;
      expect(call(strlenFunc, str(head))).toBe(Math.min(at, length));
      expect(head + tail).toBe(toJs(str(drawn)));
      expect(call(reverseFunc, str(call(reverseFunc, str(drawn)) as string))).toBe(toJs(str(drawn)));
    }),
  );
});

test("replacing a text by itself changes nothing", ({ expect }) => {
  fc.assert(
    fc.property(text, fc.string({ minLength: 1 }), (drawn, part) => {
      expect(call(replaceFunc, str(drawn), str(part), str(part))).toBe(toJs(str(drawn)));
    }),
  );
});

test("matches of single characters make up the text", ({ expect }) => {
  fc.assert(
    fc.property(text, (drawn) => {
      expect((call(regexAllFunc, str("(?s)."), str(drawn)) as string[]).join("").normalize("NFC")).toBe(toJs(str(drawn)));
    }),
  );
});

test("parseint reads an integer in each base", ({ expect }) => {
  fc.assert(
    fc.property(fc.bigInt(), fc.integer({ min: 2, max: 36 }), (integer, base) => {
      expect(parseInteger(integer.toString(base), base)).toBe(integer);
      expect(parseInteger(integer.toString(base).toUpperCase(), base)).toBe(integer);
    }),
  );
});

test("format writes numbers as JavaScript does, where JavaScript can", ({ expect }) => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }), fc.nat(9), (x, places) => {
      fc.pre(!Object.is(x, -0));
      // JavaScript rounds ties away from zero, and writes small exponents with one digit.
      const [, exponent = ""] = x.toExponential(places).split("e");
      const written = call(formatFunc, str(`%.${places}e`), of(number, x)) as string;
      expect(Math.abs(Number(written) - Number(x.toExponential(places)))).toBeLessThanOrEqual(10 ** (Number(exponent) - places) * 1.01);
      expect(call(formatFunc, str("%d"), of(number, Math.trunc(x) + 0))).toBe(String(BigInt(Math.trunc(x))));
    }),
  );
});

test("jsondecode reverses jsonencode", ({ expect }) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (drawn) => {
      const json = JSON.stringify(drawn);
      const value = jsonDecodeFunc.call([str(json)]);
      const again = jsonDecodeFunc.call([jsonEncodeFunc.call([value])]);
      expect(again.type).toBe(value.type);
      expect(call(jsonEncodeFunc, again)).toBe(call(jsonEncodeFunc, value));
    }),
  );
});
