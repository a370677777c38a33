// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { parseStepFile } from "./step-file.ts";

test("a file of steps is read", () => {
  const file = { providers: { "a/b": "./b", "a/c": ["node", "c.ts"], "a/d": { module: "./d.ts" } }, steps: [{ files: { "x.tf": null } }] };
  expect(parseStepFile(JSON.stringify(file))).toEqual(file);
});

test.for([
  [{}, "steps.json.steps must be present"],
  [{ steps: [{ mode: "dry" }] }, "steps.json.steps[0].mode must be one of normal, destroy, refreshOnly"],
  [{ steps: [{ run: [[]] }] }, "steps.json.steps[0].run[0] must be a program with its arguments"],
  [{ providers: { "a/b": { path: "x" } }, steps: [] }, "steps.json.providers.a/b.module must be present"],
  [{ steps: [{ name: "a/b" }] }, "steps.json.steps[0].name must be a name without slashes"],
] as const)("a mistake in a file of steps is named with its place: %j", ([file, message]) => {
  expect(() => parseStepFile(JSON.stringify(file))).toThrow(message);
});
