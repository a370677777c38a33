// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import type { DiffCaseFile } from "./diff-case.ts";
import { runDiffCases } from "./run-diff-cases.ts";

describe("the table of detailed differences", () => {
  test("gives the expected changes in each of at least 300 cases", async ({ expect }) => {
    const results = await runDiffCases(join(import.meta.dirname, "diff-cases.json"));
    expect(results.length).toBeGreaterThanOrEqual(300);
    expect(results.filter(({ faults }) => faults.length > 0).map(({ given, faults }) => [given.name, faults])).toEqual([]);
  });

  test("reports what differs, and what cannot run", async ({ expect }) => {
    const folder = mkdtempSync(join(tmpdir(), "diff-cases-"));
    try {
      const path = join(folder, "cases.json");
      const schema = { attributes: { size: { type: "number", optional: true } } };
      const file: DiffCaseFile = {
        cases: [
          { name: "other kind", schema, old: { size: 1 }, new: { size: 2 }, expected: { size: "add" } },
          { name: "no change", schema, old: { size: 1 }, new: { size: 1 }, expected: { size: "update" } },
          { name: "no attribute", schema, old: {}, new: { other: 1 }, expected: {} },
          { name: "wrong type", schema, old: { size: "x" }, new: {}, expected: {} },
        ],
      };
      writeFileSync(path, JSON.stringify(file));
      const faults = (await runDiffCases(path)).map((result) => result.faults);
      expect(faults.slice(0, 3)).toEqual([
        ["size: expected add, got update"],
        ["size: expected update, got nothing", "expected some to change, got none"],
        ['the schema has no attribute "other"'],
      ]);
      expect(faults[3]![0]).toContain("expected a number");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
