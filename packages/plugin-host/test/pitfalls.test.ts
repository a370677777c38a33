// SPDX-License-Identifier: Apache-2.0
// Checks that each row of the tables in docs/pitfalls.md links to an existing test.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "vitest";

const folder = join(import.meta.dirname, "..");
const page = join(folder, "docs/pitfalls.md");
const [pitfalls = "", attacks = ""] = readFileSync(page, "utf8").split("\n## ");
const readLinked = (path: string): string => readFileSync(join(dirname(page), path), "utf8");

/** Whether a quoted text of the file, such as a test name or a case of a table, matches `name`. */
const isNamed = (file: string, name: RegExp): boolean => new RegExp(`["'\`][^"\`\n]*${name.source}`).test(file);

describe("pitfalls", () => {
  const rows = [...pitfalls.matchAll(/^\| (\d+) \|.*\| \[[^\]]+\]\(([^)]+)\) \|$/gm)].map(([, number = "", file = ""]) => ({
    number,
    file,
  }));

  test("have at least one row for each pitfall of a host", ({ expect }) => {
    const ofProviders = new Set([18, 19, 21, 22, 32, 39]);
    const all = Array.from({ length: 40 }, (_, index) => index + 1);
    expect([...new Set(rows.map(({ number }) => Number(number)))]).toEqual(all.filter((number) => !ofProviders.has(number)));
    expect(rows).toHaveLength(pitfalls.split("\n").filter((line) => /^\| \d/.test(line)).length);
  });

  test.for(rows)("$number is in the name of a test in $file", ({ number, file }, { expect }) => {
    expect(isNamed(readLinked(file), new RegExp(`\\(pitfalls? (?:[\\d, ]*(?:and )?)?\\b${number}\\b[^)]*\\)`))).toBe(true);
  });

  test("are linked from the README", ({ expect }) => {
    expect(readFileSync(join(folder, "README.md"), "utf8")).toMatch(/^## Pitfalls$[^#]*\(docs\/pitfalls\.md\)/m);
  });
});

describe("attacks", () => {
  const rows = [...attacks.matchAll(/^\|.*\| \[([^\]]+)\]\(([^)]+)\) \|$/gm)].map(([, name = "", file = ""]) => ({ name, file }));

  test("have at least twenty-five rows", ({ expect }) => {
    expect(rows.length).toBeGreaterThanOrEqual(25);
    expect(rows).toHaveLength(attacks.split("\n").filter((line) => line.startsWith("|")).length - 2);
  });

  test.for(rows)("$name is the name of a test in $file", ({ name, file }, { expect }) => {
    expect(isNamed(readLinked(file), new RegExp(name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")))).toBe(true);
  });
});
