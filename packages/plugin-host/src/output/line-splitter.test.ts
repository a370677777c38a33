// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { LineSplitter } from "./line-splitter.ts";

/** Splits a text that arrives in chunks of `size` bytes. */
function lines(text: string, size: number): string[] {
  const found: string[] = [];
  const splitter = new LineSplitter((line) => found.push(line.toString()));
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) splitter.add(bytes.subarray(start, start + size));
  splitter.end();
  return found;
}

describe("LineSplitter", () => {
  test.for([1, 2, 3, 5, 1000])("splits at LF and CRLF, in chunks of %i bytes", (size, { expect }) => {
    expect(lines("one\ntwo\r\n\nthree €\rfour", size)).toEqual(["one", "two", "", "three €\rfour"]);
  });

  test("emits no empty line at the end of its input", ({ expect }) => {
    expect(lines("one\n", 10)).toEqual(["one"]);
    expect(lines("", 10)).toEqual([]);
  });

  test("splits a line longer than 64 KiB", ({ expect }) => {
    const found = lines("x".repeat(200 * 1024), 8 * 1024);
    expect(found.map((line) => line.length)).toEqual([65_536, 65_536, 65_536, 8192]);
  });
});
