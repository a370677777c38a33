// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, test } from "vitest";
import { absoluteNumber, addNumbers, divideNumbers, moduloNumbers, multiplyNumbers, negateNumber, subtractNumbers } from "./arithmetic.ts";
import { numberFromText } from "./big-float.ts";
import type { NumberPayload } from "../payload/number-payload.ts";
import {
  binaryOf,
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
    "%j is not a number",
    (text, { expect }) => {
      expect(parsed(text)).toBeUndefined();
    },
  );

  test("have 512 bits, also if their binary digits do not end", ({ expect }) => {
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

  test("of a double is read as the same double", ({ expect }) => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-300, max: 1e15 }), (double) => {
        const text = numberText(numberFromDouble(double)!);
        expect(text).not.toMatch(/e/);
        // For powers of two, Go writes fewer digits than are needed.
        if (Math.log2(double) % 1 !== 0) expect(Number(text)).toBe(double);
      }),
    );
  });

  test("is the same after parsing with 512 bits, up to 150 digits", ({ expect }) => {
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
  test("remainders are those of a division towards zero; the remainder by zero is the dividend", ({ expect }) => {
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
  ])("rejects %s", ([, run], { expect }) => {
    expect(run).toThrow(expect.objectContaining({ code: "NOT_A_NUMBER" }));
  });
  test("adds numbers of very different size without computing the digits between them", ({ expect }) => {
    const sum = addNumbers(n("1p1000000000"), n("1p-1000000000"));
    expect(compareNumbers(sum, n("1p1000000000"))).toBe(0);
  });
  test("rejects a number with too many digits before computing them", ({ expect }) => {
    expect(() => numberText(n("1e2000000"))).toThrow(expect.objectContaining({ code: "LIMIT" }));
  });
});

/** An exact number: `mantissa × 2^exponent`. */
interface Exact {
  readonly mantissa: bigint;
  readonly exponent: number;
}

/** Rounds `dividend / divisor × 2^exponent` to 512 bits by the definition, ties to even. */
function roundedByDefinition(dividend: bigint, divisor: bigint, exponent: number): Exact {
  if (dividend === 0n) return { mantissa: 0n, exponent: 0 };
  const isNegative = dividend < 0n !== divisor < 0n;
  const [top, bottom] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  // The quotient has 512 bits or one more.
  let shift = 512 - top.toString(2).length + bottom.toString(2).length;
  let [scaled, by] = shift >= 0 ? [top << BigInt(shift), bottom] : [top, bottom << BigInt(-shift)];
  if ((scaled / by).toString(2).length > 512) [by, shift] = [by * 2n, shift - 1];
  let mantissa = scaled / by;
  const twice = (scaled % by) * 2n;
  if (twice > by || (twice === by && mantissa % 2n === 1n)) mantissa += 1n;
  let scale = exponent - shift;
  for (; mantissa % 2n === 0n; scale++) mantissa /= 2n;
  return { mantissa: isNegative ? -mantissa : mantissa, exponent: scale };
}

function sumByDefinition(a: Exact, b: Exact): Exact {
  const exponent = Math.min(a.exponent, b.exponent);
  const [left, right] = [a, b].map((x) => x.mantissa << BigInt(x.exponent - exponent));
  return roundedByDefinition(left! + right!, 1n, exponent);
}

describe("results of arithmetic with 512 bits", () => {
  const exact = (x: NumberPayload): Exact => {
    const { negative, mantissa, exponent, bits } = binaryOf(x);
    if (bits !== (mantissa === 0n ? 0 : mantissa.toString(2).length)) throw new Error(`${mantissa} has not ${bits} bits`);
    return { mantissa: negative ? -mantissa : mantissa, exponent };
  };
  /** Integers with long runs of ones and zeros, where carries, ties and cancellation occur. */
  const mantissas = fc
    .tuple(fc.boolean(), fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 150 })), { minLength: 1, maxLength: 5 }))
    .map(([negative, runs]) => {
      const size = runs.reduce((bits, [one, length]) => (bits << BigInt(length)) | (one ? (1n << BigInt(length)) - 1n : 0n), 1n);
      return negative ? -size : size;
    });
  const numbers = fc.tuple(mantissas, fc.integer({ min: -300, max: 300 })).map(([mantissa, exponent]) => n(`${mantissa}p${exponent}`));

  test("are the nearest numbers, also of results", ({ expect }) => {
    fc.assert(
      fc.property(numbers, numbers, numbers, (a, b, c) => {
        const sum = addNumbers(a, b);
        const difference = subtractNumbers(sum, c);
        const product = multiplyNumbers(difference, b);
        const [x, y, z] = [exact(a), exact(b), exact(c)];
        const total = sumByDefinition(x, y);
        const rest = sumByDefinition(total, { ...z, mantissa: -z.mantissa });
        const times = roundedByDefinition(rest.mantissa * y.mantissa, 1n, rest.exponent + y.exponent);
        expect(exact(product)).toEqual(times);
        expect(exact(difference)).toEqual(rest);
        expect(exact(sum)).toEqual(total);
        const quotient = divideNumbers(product, c);
        expect(exact(quotient)).toEqual(roundedByDefinition(times.mantissa, z.mantissa, times.exponent - z.exponent));
        expect(exact(divideNumbers(quotient, quotient === a ? b : a))).toEqual(
          roundedByDefinition(exact(quotient).mantissa, x.mantissa, exact(quotient).exponent - x.exponent),
        );
      }),
      { numRuns: 1000 },
    );
  });

  test("are exact if they fit", ({ expect }) => {
    const integers = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -4, max: 4 }), fc.integer({ min: -100_000_000, max: 100_000_000 }));
    fc.assert(
      fc.property(integers, integers, (a, b) => {
        const [x, y] = [BigInt(a), BigInt(b)];
        expect(numberToBigint(addNumbers(a, b))).toBe(x + y);
        expect(numberToBigint(subtractNumbers(a, b))).toBe(x - y);
        expect(numberToBigint(multiplyNumbers(a, b))).toBe(x * y);
        if (b !== 0) expect(numberToBigint(divideNumbers(multiplyNumbers(a, b), b))).toBe(x);
      }),
    );
    expect(numberText(multiplyNumbers(0, -3))).toBe("-0");
    expect(numberText(multiplyNumbers(-3, n("0")))).toBe("-0");
    expect(numberText(divideNumbers(0, -3))).toBe("-0");
  });
});

describe("equality and order", () => {
  test("fractions are equal by text, ordered by bits", ({ expect }) => {
    expect(numbersEqual(0.1, n("0.1"))).toBe(true);
    for (const infinity of ["Inf", "-Inf"]) expect(compareNumbers(n(infinity), n(infinity))).toBe(0);
    expect(compareNumbers(0.1, n("0.1"))).toBeGreaterThan(0);
    expect(numbersEqual(0.5, n("0.5"))).toBe(true);
    expect(numbersEqual(1, n("1.000000000000000000000000000000000000000000001"))).toBe(false);
  });
  test("integers are equal by value, -0 equals 0", ({ expect }) => {
    expect(numbersEqual(numberFromBigint(2n ** 64n), numberFromDouble(2 ** 64)!)).toBe(true);
    expect(numbersEqual(n("-0"), 0)).toBe(true);
    expect(numbersEqual(n("Inf"), n("-Inf"))).toBe(false);
  });
  test("the order is that of the exact values", ({ expect }) => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), fc.integer({ min: 0, max: 200 }), (a, b, shift) => {
        const want = a < b ? -1 : a > b ? 1 : 0;
        expect(Math.sign(compareNumbers(n(`${a}p-${shift}`), n(`${b}p-${shift}`)))).toBe(want);
      }),
    );
  });
});

describe("numbers as JavaScript", () => {
  test("are doubles only if these have the same text", ({ expect }) => {
    expect(numberToDouble(n("0.1"))).toBe(0.1);
    expect(numberToDouble(n("0.10000000000000000001"))).toBeUndefined();
    expect(numberToDouble(numberFromBigint(2n ** 53n + 1n))).toBeUndefined();
    expect(numberToDouble(n("-0"))).toBe(-0);
    expect(numberToDouble(n("Inf"))).toBe(Infinity);
  });
  test("are exact if they are integers", ({ expect }) => {
    expect(numberToBigint(n("1e30"))).toBe(10n ** 30n);
    expect(numberToBigint(n("0.5"))).toBeUndefined();
    expect(numberToBigint(numberFromBigint(-(2n ** 63n)))).toBe(-(2n ** 63n));
  });
});
