// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { Tail } from "./tail.ts";

describe("Tail", () => {
  test("keeps a short output whole", ({ expect }) => {
    const tail = new Tail();
    expect(tail.text).toBe("");
    tail.add(Buffer.from("one "));
    tail.add(Buffer.from("two"));
    expect(tail.text).toBe("one two");
  });

  test.for([1, 7, 4095, 4096, 4097, 100_000])("keeps the last 4 KiB of chunks of %i bytes", (size, { expect }) => {
    const output = Array.from({ length: 30_000 }, (_, index) => `${index} `).join("");
    const tail = new Tail();
    for (let start = 0; start < output.length; start += size) tail.add(Buffer.from(output.slice(start, start + size)));
    expect(tail.text).toBe(output.slice(-4096));
  });

  test("starts with a whole line after truncation", ({ expect }) => {
    const tail = new Tail();
    tail.add(Buffer.from("first\nsecond"));
    expect(tail.lines).toBe("first\nsecond");
    tail.add(Buffer.from(`${"x".repeat(5000)} secret\nlast`));
    expect(tail.lines).toBe("last");
  });

  test("drops a truncated character", ({ expect }) => {
    const tail = new Tail();
    tail.add(Buffer.from(`${"€".repeat(2000)}x`));
    expect(tail.text).toBe(`${"€".repeat(1365)}x`);
  });
});
