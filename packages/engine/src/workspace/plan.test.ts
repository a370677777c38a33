// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { objectFiles } from "../configuration/file-system.ts";
import { openWorkspace } from "./workspace.ts";

describe("a plan", () => {
  test("has the texts of files with errors", async ({ expect }) => {
    const main = "output {}\n";
    await using plan = await openWorkspace({ configuration: objectFiles({ "main.tf": main }), providers: {} }).plan();
    expect(plan.errored).toBe(true);
    expect([...plan.sources]).toEqual([["main.tf", main]]);
  });

  test("of a configuration with state encryption is an error", async ({ expect }) => {
    const main =
      'terraform {\n  encryption {\n    method "unencrypted" "a" {}\n    state {\n      method = method.unencrypted.a\n    }\n  }\n}\n';
    await using plan = await openWorkspace({ configuration: objectFiles({ "main.tf": main }), providers: {} }).plan();
    expect(plan.diagnostics).toMatchObject([
      { severity: "error", summary: "Unsupported state encryption", subject: { start: { line: 2 } } },
    ]);
    await expect(plan.apply()).rejects.toThrow("a plan with errors cannot be applied");
  });
});
