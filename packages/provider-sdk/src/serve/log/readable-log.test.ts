// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { formatEntry, readableLog } from "./readable-log.ts";

test("an entry is formatted as go-hclog formats it, with fields of several lines below", ({ expect }) => {
  const fields = {
    tf_rpc: "ReadResource",
    count: 3,
    words: "two words",
    none: undefined,
    tags: ["a"],
    error: "Error: no\n    at read (read.ts:1:2)",
  };
  const time = new Date(0);
  expect(formatEntry({ level: "error", message: "Cannot read", fields }, time)).toBe(
    [
      `1970-01-01T00:00:00.000Z [ERROR] Cannot read: tf_rpc=ReadResource count=3 words="two words" tags="[ 'a' ]"`,
      "  error=",
      "  | Error: no",
      "  |     at read (read.ts:1:2)",
      "",
    ].join("\n"),
  );
  expect(formatEntry({ level: "info", message: "Ready", fields: {} }, time)).toBe("1970-01-01T00:00:00.000Z [INFO]  Ready\n");
});

test.for([
  ["warn", ["warn", "error"]],
  [undefined, []],
] as const)("entries below the level %s are dropped", ([minLevel, shown], { expect }) => {
  const written: string[] = [];
  const log = readableLog((text) => void written.push(text), minLevel);
  for (const level of ["trace", "debug", "info", "warn", "error"] as const) log({ level, message: level, fields: {} });
  expect(written.map((text) => text.split(" ").at(-1)?.trimEnd())).toEqual(shown);
});
