// SPDX-License-Identifier: Apache-2.0
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { objectFiles } from "../configuration/index.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import { renderPlan } from "./plan-text.ts";

async function planOf(text: string): ReturnType<ReturnType<typeof openWorkspace>["plan"]> {
  return openWorkspace({ configuration: objectFiles({ "main.tf": text }), providers: {} }).plan();
}

test("renderPlan wraps sentences to the width", async () => {
  await using plan = await planOf("");
  expect(renderPlan(plan.changes, { width: 40 })).toBe(
    `
No changes. Your infrastructure matches the configuration.

OpenTofu has compared your real
infrastructure against your
configuration and found no differences,
so no changes are needed.
`,
  );
});

test("renderPlan adds colours to the same text", async () => {
  await using plan = await planOf('resource "terraform_data" "a" { input = 1 }\noutput "o" { value = terraform_data.a.output }');
  const colored = renderPlan(plan.changes, { color: true });
  expect(colored).toContain("\u001B[32m+\u001B[0m create\u001B[0m");
  expect(stripVTControlCharacters(colored)).toBe(renderPlan(plan.changes));
});

test("renderPlan hides sensitive values", async () => {
  await using plan = await planOf(
    'resource "terraform_data" "a" { input = sensitive("hidden") }\noutput "o" {\n  value = sensitive("hidden")\n  sensitive = true\n}',
  );
  const text = renderPlan(plan.changes);
  expect(text).toContain("+ o = (sensitive value)");
  expect(text).not.toContain("hidden");
});
