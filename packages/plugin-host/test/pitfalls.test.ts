// SPDX-License-Identifier: Apache-2.0
// The tables of what goes wrong with providers, and of what is tried on purpose, lead to tests that there are.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "vitest";

const folder = join(import.meta.dirname, "..");
const page = join(folder, "docs/pitfalls.md");
const [pitfalls = "", attempts = ""] = readFileSync(page, "utf8").split("\n## ");
const linked = (path: string): string => readFileSync(join(dirname(page), path), "utf8");

/** As the test's name stands in its file: in quotes, or in a table of cases. */
const isNamed = (file: string, name: RegExp): boolean => new RegExp(`["'\`][^"\`\n]*${name.source}`).test(file);

describe("pitfalls", () => {
  const rows = [...pitfalls.matchAll(/^\| (\d+) \|.*\| \[[^\]]+\]\(([^)]+)\) \|$/gm)].map(([, number = "", file = ""]) => ({
    number,
    file,
  }));

  test("have a row each that is a host's", ({ expect }) => {
    const ofProviders = new Set([18, 19, 21, 22, 32, 39]);
    const all = Array.from({ length: 40 }, (_, index) => index + 1);
    expect([...new Set(rows.map(({ number }) => Number(number)))]).toEqual(all.filter((number) => !ofProviders.has(number)));
    expect(rows).toHaveLength(pitfalls.split("\n").filter((line) => /^\| \d/.test(line)).length);
  });

  test.for(rows)("$number has a test with its number in its name in $file", ({ number, file }, { expect }) => {
    expect(isNamed(linked(file), new RegExp(`\\(pitfalls? (?:[\\d, ]*(?:and )?)?\\b${number}\\b[^)]*\\)`))).toBe(true);
  });

  test("are found from the front page", ({ expect }) => {
    expect(readFileSync(join(folder, "README.md"), "utf8")).toMatch(/^## Pitfalls$[^#]*\(docs\/pitfalls\.md\)/m);
  });
});

describe("attempts", () => {
  const rows = [...attempts.matchAll(/^\|.*\| \[([^\]]+)\]\(([^)]+)\) \|$/gm)].map(([, name = "", file = ""]) => ({ name, file }));

  test("are twenty-five at least", ({ expect }) => {
    expect(rows.length).toBeGreaterThanOrEqual(25);
    expect(rows).toHaveLength(attempts.split("\n").filter((line) => line.startsWith("|")).length - 2);
  });

  test.for(rows)("$name: there is such a test in $file", ({ name, file }, { expect }) => {
    expect(isNamed(linked(file), new RegExp(name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")))).toBe(true);
  });
});
