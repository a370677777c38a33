// SPDX-License-Identifier: Apache-2.0
// Every row in the table of plugin pitfalls names an existing test.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "packages/provider-sdk/docs/serving.md"), "utf8");
const rows = [...page.matchAll(/^\| (\d+) \|.*\| `([^`]+)` \|$/gm)].map(([, number = "", file = ""]) => ({ number, file }));

test("every pitfall of serving has a row", ({ expect }) => {
  const ofHosts = new Set([7, 14, 26, 27, 29, 33, 37, 40]);
  const all = Array.from({ length: 40 }, (_, index) => index + 1);
  expect(rows.map(({ number }) => Number(number))).toEqual(all.filter((number) => !ofHosts.has(number)));
});

test.for(rows)("pitfall $number has a test with its number in its name", ({ number, file }, { expect }) => {
  const named = new RegExp(`\\(pitfalls? (?:\\d+ and )?${number}(?: and \\d+)?\\)`);
  expect(readFileSync(join(root, file), "utf8")).toMatch(named);
});
