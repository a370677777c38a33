// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { PanicText } from "./panic-text.ts";

function collect(lines: readonly string[]): { added: boolean[]; text: string | undefined } {
  const panic = new PanicText();
  return { added: lines.map((line) => panic.add(line)), text: panic.text };
}

test.for(["panic: boom", "fatal error: all goroutines are asleep - deadlock!"])(
  "collects the lines from %j on, without log lines",
  (first, { expect }) => {
    const lines = [
      "[INFO] before",
      '{"@level":"info","@message":"panic: no"}',
      first,
      "",
      "goroutine 1 [running]:",
      '{"@level":"info"}',
      "main.main()",
    ];
    expect(collect(lines)).toEqual({
      added: [false, false, true, true, true, false, true],
      text: `${first}\n\ngoroutine 1 [running]:\nmain.main()`,
    });
  },
);

test("ignores lines that only mention a panic", ({ expect }) => {
  expect(collect(["no panic: here", "panic:", " fatal error: x"])).toEqual({ added: [false, false, false], text: undefined });
});

test("keeps the first 100 lines", ({ expect }) => {
  const { text, added } = collect(["panic: deep", ...Array.from({ length: 500 }, (_, index) => `frame ${index}`)]);
  expect(text!.split("\n")).toHaveLength(100);
  expect(added.every(Boolean)).toBe(true);
});
