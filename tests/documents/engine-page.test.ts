// SPDX-License-Identifier: Apache-2.0
// The page of engine that lists its differences from OpenTofu.
import { globSync } from "node:fs";
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
