// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { PanicText } from "./panic-text.ts";

function collect(lines: readonly string[]): { taken: boolean[]; text: string | undefined } {
  const panic = new PanicText();
  return { taken: lines.map((line) => panic.add(line)), text: panic.text };
}

test.for(["panic: boom", "fatal error: all goroutines are asleep - deadlock!"])(
  "collects from %j on, but no log lines",
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
      taken: [false, false, true, true, true, false, true],
      text: `${first}\n\ngoroutine 1 [running]:\nmain.main()`,
    });
  },
);

test("nothing is a panic that only mentions one", ({ expect }) => {
  expect(collect(["no panic: here", "panic:", " fatal error: x"])).toEqual({ taken: [false, false, false], text: undefined });
});

test("keeps a hundred lines", ({ expect }) => {
  const { text, taken } = collect(["panic: deep", ...Array.from({ length: 500 }, (_, index) => `frame ${index}`)]);
  expect(text!.split("\n")).toHaveLength(100);
  expect(taken.every(Boolean)).toBe(true);
});
