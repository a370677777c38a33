// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, test } from "vitest";
import { exp, log, pow } from "./float64.ts";

const view = new DataView(new ArrayBuffer(8));

function double(bits: string): number {
  if (bits === "NaN") return Number.NaN;
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return view.getFloat64(0);
}

/** Bits of x, y, math.Log(x), math.Exp(y) and math.Pow(x, y), as Go 1.26 on amd64 has them. */
const fromGo: readonly string[] = [
  "4022800000000000 402dc80000000000 4001cc076ebdaac6 41465b4c1df62030 42ebae0d8b8ca67e",
  "3ff137ba65ab5fb9 401bc00000000000 3fb2c6f7a9848f53 409018c41c48840f 3ffa9d3a8caaa30c",
  "3fe156ac51a3cea2 400455007d1ae271 bfe39c1429b7f2c0 402965c4ae9b9762 3fcaf76241a6e822",
  "40145ed4ba547a11 4044800000000000 3ffa0b6daed5c7c0 43a1c25c88df6862 45f37d35d94cf8da",
  "3fea522599e7086b 11c3a9670c58ded5 bfc901fc8ee20575 3ff0000000000000 3ff0000000000000",
  "bffe6485e2028637 3fec15e6fbc91b96 NaN 40033e0ca493727a NaN",
  "402116b6b45de92c 4050800000000000 4001298439715be0 45e29bb825dfcf87 4cb344ddbaa8dc4e",
  "bffa800000000000 4036000000000000 NaN 41eab5adb9c435ff 40f028a8781314a9",
  "65c0891412333ea1 24c4059426ed249e 407a3630fff0d936 3ff0000000000000 3ff0000000000000",
  "329fbfc733557536 c01b1a305914b5ac c06274be37bb6469 3f52b30490a0a804 7ff0000000000000",
  "3fef901884391e1f 4010000000000000 bf8c2b3cb9185547 404b4c902e273a58 3fee4978bc663d4c",
  "29111e3d4811dbf6 3ff95a50e00b3665 c06fb3fa6c0f2640 401382253a97f064 1bb27f28c1a5d1f0",
  "debc9aba8ff664d2 3fed5b76e266c1ff NaN 400405c28b1fe71c NaN",
  "c012d00000000000 c026000000000000 NaN 3ef18354238f6764 be658ef88afcc705",
  "3fdc7aaf444a3eba 5a5cdd16ba8b8386 bfe9e9205136bba8 7ff0000000000000 0",
  "13b2dfe9eb96c8ae 2b6887dc893be5f4 c07ea953da910d78 3ff0000000000000 3ff0000000000000",
  "1665b03f09c81a5f c0133b0a3802c416 c07cca380c11e4f3 3f80b9d968087fd4 7ff0000000000000",
  "c02ef1aab962ae70 c035000000000000 NaN 3e0a0db0d0ddb3ec bac02f881ed004cd",
  "2f125046fae905cf 404c800000000000 c06760784b832b16 4512cffdfebde1a1 0",
  "2f30f0dec3ce6fde c782a682945fd54b c067369a076183f6 0 7ff0000000000000",
  "4ea8fa5b6a808725 3fb4000000000000 40646ab842116b64 3ff14cd4fc989cd6 411540b3780a4634",
  "bad3f59c8828a916 3fd5cc1bc6a8d792 NaN 3ff67e0524e0abaf NaN",
  "3fef62ab3d0e8134 3fe7b05fdccba88d bf93db91b03124ce 4000c5ada93c9a0f 3fef8b3cf2861d6d",
  "403d1dd9c45f1d41 c02ee59c1f60b14c 400af870a49c4e40 3e8a3848ba8e55dd 3b3d1608b0d8dc9c",
  "400cfbe8b37dae01 ba96b716a1b90bb3 3ff498cb1e6f8f7e 3ff0000000000000 3ff0000000000000",
  "3c817a61995c7262 4056000000000000 c043047249541521 47df1056dc7bf22d 0",
  "3f8bfa23d92c1ec0 c02377036dc3ceec c0112c45186d8ee4 3f0f1ab823d3eefb 43b37110ee03e419",
  "4010000000000000 ae7f11c390388627 3ff62e42fefa39ef 3ff0000000000000 3ff0000000000000",
  "3dd0d2113c364262 4d3be35e8982214f c037845974c76730 7ff0000000000000 0",
  "404d800000000000 bff3667df87dd25c 40104f65f9c72979 3fd3095b13e762ce 3f7d2f66a3ec9736",
  "4b2512bafecf862c 4043800000000000 405f1652092966c7 43733a43d282a519 7ff0000000000000",
  "c046000000000000 3fe1855ed4abf32b NaN 3ffba9e4fea2119d NaN",
  "64f47f2d62acac9b bfdda31017850fd8 4079a973f579e19d 3fe42395a385cf55 2ec9dbfa62ebcc2d",
  "3fd53f1deb381038 c02d4fbeaf37556b bff1a49cbd5fbeef 3e9cf6f132e67cb5 4163e77c94d7c537",
  "c01a034547bbb98b bffbc00000000000 NaN 3fc697e543f67ef8 NaN",
  "5aab8985ddbbdfb6 29ef4ce4553bf522 40728844cafee11f 3ff0000000000000 3ff0000000000000",
  "3fdc000000000000 c007000000000000 bfea74269f84330e 3face293844545b3 402589e3abf57e96",
  "c03f000000000000 53a1e4e73c19d825 NaN 7ff0000000000000 7ff0000000000000",
  "b5cb900fda99f86c c010200000000000 NaN 3f922d9d01124c1b NaN",
  "605c8d89dc60e1f5 3fd51d9bf035384e 40767a120ef1f047 3ff64104e87d11f1 4aa22216a47e9179",
  "3fe9858c48c6d0ba 1cbe39b06b9b7e4 bfccf461b45ab518 3ff0000000000000 3ff0000000000000",
  "4044800000000000 943bd6cbcc25dd12 400db565458eac4e 3ff0000000000000 3ff0000000000000",
  "4026998cd543ddb3 3d29d98f72321054 400365fa73c1a4f0 3ff00000000000cf 3ff00000000001f5",
  "c0252f23332dab16 4022057f9543ae58 NaN 40bffe9269ae8a70 NaN",
  "1cf385591a5031ab 4039000000000000 c0783f6a98ca3509 4230c3d3920962c9 0",
  "3fd18c030ba72fb8 c041800000000000 bff4b43e21184c19 3cc6b7719a59f0e0 44044023b9417f0b",
  "2e71a8e58533c500 c02a44ebba32d13c c0683f70bb26a5ab 3ec092af66b7f2f0 7ff0000000000000",
  "b7277abade3b2706 4023000000000000 NaN 40ca17dd08c11dc0 NaN",
  "404c800000000000 1d8358d9f2005437 40102c15a1ad9a59 3ff0000000000000 3ff0000000000000",
  "f667eaed3b63109f 3918a90df1b273ab NaN 3ff0000000000000 NaN",
];

test.for(fromGo)("logarithm, exponential and power equal Go's results bit by bit: %s", (row, { expect }) => {
  const [x, y, logarithm, exponential, power] = row.split(" ").map(double) as [number, number, number, number, number];
  expect(log(x)).toBe(logarithm);
  expect(exp(y)).toBe(exponential);
  expect(pow(x, y)).toBe(power);
});

describe("special cases", () => {
  const inf = Infinity;
  const nan = Number.NaN;
  test.for([
    [2, 0, 1],
    [nan, 0, 1],
    [1, nan, 1],
    [nan, 1, nan],
    [2, nan, nan],
    [0, -1, inf],
    [-0, -1, -inf],
    [-0, -2, inf],
    [-0, 3, -0],
    [-0, 0.5, 0],
    [-1, inf, 1],
    [0.5, inf, 0],
    [0.5, -inf, inf],
    [2, -inf, 0],
    [inf, 2, inf],
    [inf, -2, 0],
    [-inf, 3, -inf],
    [-inf, -3, -0],
    [-8, 1 / 3, nan],
    [9, 0.5, 3],
    [4, -0.5, 0.5],
    [2, 2 ** 63, inf],
    [0.5, 2 ** 63, 0],
    [-1, 2 ** 64, 1],
    [2, -1074, Number.MIN_VALUE],
    [2, -1080, 0],
    [1 + Number.EPSILON, 1e300, inf],
  ] as const)("%d to the power of %d", ([x, y, power], { expect }) => {
    expect(pow(x, y)).toBe(power);
  });

  test("logarithms and exponentials at the limits of their range", ({ expect }) => {
    expect([log(0), log(-1), log(inf), log(nan)]).toEqual([-inf, nan, inf, nan]);
    expect([exp(inf), exp(-inf), exp(710), exp(-800), exp(nan)]).toEqual([inf, 0, inf, 0, nan]);
  });
});

test("results are close to those of the JavaScript engine", ({ expect }) => {
  fc.assert(
    fc.property(fc.double({ min: 1e-3, max: 1e3, noNaN: true }), fc.double({ min: -50, max: 50, noNaN: true }), (x, y) => {
      expect(Math.abs(log(x) - Math.log(x))).toBeLessThanOrEqual(1e-15 * Math.max(1, Math.abs(Math.log(x))));
      expect(Math.abs(exp(y) / Math.exp(y) - 1)).toBeLessThan(1e-14);
      expect(Math.abs(pow(x, y) / x ** y - 1)).toBeLessThan(1e-12);
    }),
  );
});
