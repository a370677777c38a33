// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, test } from "vitest";
import { absoluteNumber, addNumbers, divideNumbers, moduloNumbers, multiplyNumbers, negateNumber, subtractNumbers } from "./arithmetic.ts";
import { numberFromText } from "./big-float.ts";
import {
  compareNumbers,
  numberFromBigint,
  numberFromDouble,
  numberHashText,
  numbersEqual,
  numberText,
  numberToBigint,
  numberToDouble,
  precisionOf,
} from "./number.ts";

const parsed = (text: string): string | undefined => {
  const number = numberFromText(text);
  return number && numberText(number);
};
const n = (text: string) => numberFromText(text)!;

describe("numbers from text", () => {
  test.for([
    ["1.50", "1.5"],
    [".5", "0.5"],
    ["5.", "5"],
    ["+1", "1"],
    ["00012", "12"],
    ["-0", "-0"],
    ["1e-5", "0.00001"],
    ["1p10", "1024"],
    ["1P-2", "0.25"],
    ["Inf", "+Inf"],
    ["-inf", "-Inf"],
    ["1e500", `1${"0".repeat(500)}`],
    ["9".repeat(154), "9".repeat(154)],
    ["123e300", `123${"0".repeat(300)}`],
  ])("%s is %s", ([text, want], { expect }) => {
    expect(parsed(text!)).toBe(want);
  });

  test.for(["", ".", "-", "1_000", " 1", "1 ", "0x10", "NaN", "INF", "1e", "e5", "1p", "--1", "1e99999999999999999999", "1p2147483648"])(
    "%j is none",
    (text, { expect }) => {
      expect(parsed(text)).toBeUndefined();
    },
  );

  test("have 512 bits, also where decimal digits do not end in binary", ({ expect }) => {
    expect(precisionOf(n("0.1"))).toBe(512);
    expect(n("1e500").binary.mantissa.toString(2).length).toBeLessThanOrEqual(512);
  });
});

describe("text of numbers, as Go writes it", () => {
  test.for<[number, string]>([
    [0.1, "0.1"],
    [0.0625, "0.0625"],
    [1e-7, "0.0000001"],
    [2 ** 64, "18446744073709550000"],
    [2 ** 60, "1152921504606847000"],
    [5e-324, `0.${"0".repeat(323)}4940656458412465`],
    [1e21, "1000000000000000000000"],
    [123456.789, "123456.789"],
  ])("double %d: %s", ([double, want], { expect }) => {
    expect(numberText(numberFromDouble(double)!)).toBe(want);
  });

  test.for([
    ["0.1", "0.1"],
    ["123456789012", "1.23456789e+11"],
    ["12345678901", "1.23456789e+10"],
    ["1e21", "1e+21"],
    ["100", "100"],
    ["0.00001", "1e-05"],
    ["-0", "-0"],
    ["1.00000000001", "1"],
  ])("hash text of %s is %s", ([text, want], { expect }) => {
    expect(numberHashText(n(text!))).toBe(want);
  });

  test("of a double gives the double back", ({ expect }) => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-300, max: 1e15 }), (double) => {
        const text = numberText(numberFromDouble(double)!);
        expect(text).not.toMatch(/e/);
        // For powers of two Go's digits are fewer than it takes.
        if (Math.log2(double) % 1 !== 0) expect(Number(text)).toBe(double);
      }),
    );
  });

  test("survives a detour over 512 bits up to 150 digits", ({ expect }) => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 100n), max: 10n ** 100n }), fc.nat({ max: 45 }), (digits, places) => {
        const text = parsed(`${digits}e-${places}`)!;
        expect(parsed(text)).toBe(text);
        expect(parsed(`0${text.replace("-", "")}`)).toBe(text.replace("-", ""));
      }),
    );
  });
});

describe("arithmetic, with Go's binary noise", () => {
  const noise = (from: string, to: string): RegExp => new RegExp(`^${from.replace(".", "\\.")}0+${to}$`);
  test("sums, products and differences of decimals", ({ expect }) => {
    expect(numberText(addNumbers(n("1.1"), n("2.2")))).toMatch(noise("3.3", "2"));
    expect(numberText(multiplyNumbers(n("1.1"), n("1.1")))).toMatch(noise("1.21", "1"));
    expect(numberText(subtractNumbers(n("1"), n("0.9")))).toMatch(noise("0.1", "3"));
    expect(numberText(addNumbers(0.1, n("0.2")))).toBe("0.3000000000000000055511151231257827021181583404541015625");
  });
  test("quotients have the operands' precision", ({ expect }) => {
    expect(numberText(divideNumbers(1, 3))).toBe("0.33333333333333333334");
    expect(numberText(divideNumbers(0.5, 1.5))).toBe("0.3333333333333333");
    expect(numberText(divideNumbers(n("1"), n("3")))).toMatch(/^0\.3{154}5$/);
  });
  test("remainders go towards zero; by zero they are the dividend", ({ expect }) => {
    expect(numberText(moduloNumbers(-7, 3))).toBe("-1");
    expect(numberText(moduloNumbers(7, -3))).toBe("1");
    expect(moduloNumbers(7, 0)).toBe(7);
    expect(numberText(moduloNumbers(n("5.5"), 2))).toBe("1.5");
  });
  test("signs of zero", ({ expect }) => {
    expect(numberText(negateNumber(0))).toBe("-0");
    expect(numberText(addNumbers(n("-0"), n("-0")))).toBe("-0");
    expect(numberText(addNumbers(n("-0"), 0))).toBe("0");
    expect(numberText(absoluteNumber(n("-0")))).toBe("0");
  });
  test.for<[string, () => unknown]>([
    ["0/0", () => divideNumbers(0, 0)],
    ["Inf/Inf", () => divideNumbers(n("Inf"), n("-Inf"))],
    ["Inf-Inf", () => subtractNumbers(n("Inf"), n("Inf"))],
    ["0*Inf", () => multiplyNumbers(0, n("Inf"))],
  ])("%s is refused", ([, run], { expect }) => {
    expect(run).toThrow(expect.objectContaining({ code: "NOT_A_NUMBER" }));
  });
  test("numbers of very different size are added without writing out what lies between", ({ expect }) => {
    const sum = addNumbers(n("1p1000000000"), n("1p-1000000000"));
    expect(compareNumbers(sum, n("1p1000000000"))).toBe(0);
  });
  test("a number too large to be written in digits is refused, not attempted", ({ expect }) => {
    expect(() => numberText(n("1e2000000"))).toThrow(expect.objectContaining({ code: "LIMIT" }));
  });
});

describe("equality and order", () => {
  test("fractions are equal by text, ordered by bits", ({ expect }) => {
    expect(numbersEqual(0.1, n("0.1"))).toBe(true);
    expect(compareNumbers(0.1, n("0.1"))).toBeGreaterThan(0);
    expect(numbersEqual(0.5, n("0.5"))).toBe(true);
    expect(numbersEqual(1, n("1.000000000000000000000000000000000000000000001"))).toBe(false);
  });
  test("integers are equal by value, -0 equals 0", ({ expect }) => {
    expect(numbersEqual(numberFromBigint(2n ** 64n), numberFromDouble(2 ** 64)!)).toBe(true);
    expect(numbersEqual(n("-0"), 0)).toBe(true);
    expect(numbersEqual(n("Inf"), n("-Inf"))).toBe(false);
  });
  test("order is that of the exact values", ({ expect }) => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), fc.integer({ min: 0, max: 200 }), (a, b, shift) => {
        const want = a < b ? -1 : a > b ? 1 : 0;
        expect(Math.sign(compareNumbers(n(`${a}p-${shift}`), n(`${b}p-${shift}`)))).toBe(want);
      }),
    );
  });
});

describe("numbers as JavaScript", () => {
  test("a double only where it has the same text", ({ expect }) => {
    expect(numberToDouble(n("0.1"))).toBe(0.1);
    expect(numberToDouble(n("0.10000000000000000001"))).toBeUndefined();
    expect(numberToDouble(numberFromBigint(2n ** 53n + 1n))).toBeUndefined();
    expect(numberToDouble(n("-0"))).toBe(-0);
    expect(numberToDouble(n("Inf"))).toBe(Infinity);
  });
  test("an integer exactly", ({ expect }) => {
    expect(numberToBigint(n("1e30"))).toBe(10n ** 30n);
    expect(numberToBigint(n("0.5"))).toBeUndefined();
    expect(numberToBigint(numberFromBigint(-(2n ** 63n)))).toBe(-(2n ** 63n));
  });
});
