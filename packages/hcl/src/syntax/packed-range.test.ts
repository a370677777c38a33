// SPDX-License-Identifier: Apache-2.0
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, test } from "vitest";
import { scan } from "../scan/scanner.ts";
import { initialPosition } from "./position.ts";
import { formatRange, rangeBetween, startByteOf } from "./range.ts";

const piece = fc.constantFrom(
  "a",
  " ",
  "\t",
  "\n",
  "\r\n",
  "\r",
  '"',
  "${",
  "}",
  "# é",
  "/* ü\n */",
  "é",
  "e\u0301",
  "👩‍👩‍👧",
  "\u{1f1e9}\u{1f1ea}",
  "\ufeff",
  "\u0600",
  "0.5",
  "<<E\n",
  "E\n",
);
const place = fc.record({
  line: fc.integer({ min: 1, max: 9 }),
  column: fc.integer({ min: 1, max: 9 }),
  byte: fc.integer({ min: 0, max: 99 }),
});

describe("a packed range", () => {
  test("has the positions of its tokens, with any characters", ({ expect }) => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }),
        fc.boolean(),
        fc.constantFrom("config" as const, "template" as const),
        place,
        (pieces, asBytes, mode, start) => {
          const source = pieces.join("");
          const tokens = scan(asBytes ? Buffer.from(source) : source, "main.tf", mode, start);
          for (let index = 0; index < tokens.count; index++) {
            const range = tokens.range(index);
            expect(range.toJSON()).toEqual({ filename: "main.tf", start: tokens.start(index), end: tokens.end(index) });
            expect(startByteOf(range)).toBe(tokens.start(index).byte);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("is written and shown with its positions", ({ expect }) => {
    const range = scan("a\nbc", "main.tf", "config", initialPosition).range(2);
    const plain = { filename: "main.tf", start: { line: 2, column: 1, byte: 2 }, end: { line: 2, column: 3, byte: 4 } };
    expect(JSON.parse(JSON.stringify(range))).toEqual(plain);
    expect(inspect(range)).toBe(inspect(plain));
    expect(formatRange(range)).toBe("main.tf:2,1-3");
  });

  test("joins with ranges of other kinds and sources", ({ expect }) => {
    const range = scan("a b", "main.tf", "config", initialPosition).range(0);
    const other = scan("\n\nc", "main.tf", "config", initialPosition).range(2);
    const plain = { filename: "main.tf", start: { line: 7, column: 1, byte: 70 }, end: { line: 7, column: 2, byte: 71 } };
    expect(formatRange(rangeBetween(range, other))).toBe("main.tf:1,1-3,2");
    expect(formatRange(rangeBetween(range, plain))).toBe("main.tf:1,1-7,2");
    expect(formatRange(rangeBetween(other, plain))).toBe("main.tf:3,1-7,2");
  });
});
