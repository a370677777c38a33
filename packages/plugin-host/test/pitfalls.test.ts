// SPDX-License-Identifier: Apache-2.0
// The table of what goes wrong with providers names tests that there are.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "packages/plugin-host/docs/pitfalls.md"), "utf8");
const rows = [...page.matchAll(/^\| (\d+) \|.*\| `([^`]+)` \|$/gm)].map(([, number = "", file = ""]) => ({ number, file }));

test("every pitfall of hosting has a row", ({ expect }) => {
  const ofProviders = new Set([18, 19, 21, 22, 32, 39]);
  const all = Array.from({ length: 40 }, (_, index) => index + 1);
  expect([...new Set(rows.map(({ number }) => Number(number)))]).toEqual(all.filter((number) => !ofProviders.has(number)));
});

test("every line of the table is understood", ({ expect }) => {
  expect(rows).toHaveLength(page.split("\n").filter((line) => /^\| \d/.test(line)).length);
});

test.for(rows)("pitfall $number has a test with its number in its name in $file", ({ number, file }, { expect }) => {
  expect(readFileSync(join(root, file), "utf8")).toMatch(new RegExp(`\\(pitfalls? (?:[\\d, ]*(?:and )?)?\\b${number}\\b[^)]*\\)`));
});
