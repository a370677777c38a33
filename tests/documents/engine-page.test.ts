// SPDX-License-Identifier: Apache-2.0
// The pages of engine that list its differences from OpenTofu, and the tests of its features.
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { readDocument, root } from "./snippets.ts";

const differences = [...readDocument("packages/engine/docs/differences.md").matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = ""]) => name);
const tests = globSync(
  [
    "packages/engine/src/**/*.test.ts",
    "tests/conformance/engine/*.ts",
    "tests/conformance/engine-differential/*.ts",
    "tests/interop/engine-*.ts",
    "tests/interop/soak/engine-*.ts",
  ],
  { cwd: root },
)
  .map(readDocument)
  .join("\n");

describe("the page on differences", () => {
  test.for(differences)("lists %s, which a test names, too", (name, { expect }) => {
    expect(tests).toMatch(new RegExp(`["\`]${name}["\`:]`));
  });

  test("lists each difference that excuses a function in comparisons with OpenTofu", ({ expect }) => {
    const excused = [...readDocument("tests/conformance/engine/function-deviations.ts").matchAll(/name: "([^"]+)"/g)];
    expect(excused.length).toBeGreaterThan(3);
    for (const [, name] of excused) expect(differences).toContain(name);
  });
});

describe("the page on features", () => {
  const page = readDocument("packages/engine/docs/features.md");
  /** The folders of tests whose names the page shortens. */
  const folders = ["", "tests/interop", "tests/conformance/engine", "packages/engine/src", "packages/engine/src/configuration"];

  test("names tests that exist", ({ expect }) => {
    const named = [...page.matchAll(/`([^`]*\.ts|tests\/[^`]*)`/g)].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((path) => !folders.some((folder) => existsSync(join(root, folder, path))))).toEqual([]);
  });

  test("names cases that exist", ({ expect }) => {
    const cases = readDocument("tests/interop/engine-cases.ts");
    const named = [...page.matchAll(/cases? ("[^"]+")(?: and ("[^"]+"))?/g)].flatMap(([, ...names]) => names.filter((name) => name));
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !cases.includes(`name: ${name}`))).toEqual([]);
  });
});
