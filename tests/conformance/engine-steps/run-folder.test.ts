// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "tenon-steps-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const main = `
terraform {
  required_providers {
    tfcoremock = { source = "hashicorp/tfcoremock" }
  }
}
resource "tfcoremock_simple_resource" "a" {
  id     = "a"
  string = var.text
}
variable "text" { default = "one" }
output "text" { value = tfcoremock_simple_resource.a.string }
`;

function run(files: Readonly<Record<string, string>>): { readonly status: number | null; readonly output: string } {
  mkdirSync(join(folder, "case"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, "case", name), text);
  const command = join(import.meta.dirname, "main.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, join(folder, "case"), "--out", join(folder, "out")], {
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

function read(...path: readonly string[]): string {
  return readFileSync(join(folder, "out", ...path), "utf8");
}

test("the steps of a folder are run in a copy, and their documents are written", () => {
  const edit =
    'const fs = require("fs"), f = "terraform.resource/a.json"; fs.writeFileSync(f, fs.readFileSync(f, "utf8").replace("one", "drifted"))';
  const drift = [process.execPath, "-e", edit];
  const steps = [{ name: "create" }, { name: "drift", run: [drift], mode: "refreshOnly" }, { variables: { text: "two" }, apply: false }];
  expect(run({ "main.tf": main, "steps.json": JSON.stringify({ steps }) })).toEqual({
    status: 0,
    output: "01-create: success\n02-drift: success\n03-step: success\n",
  });
  expect(readdirSync(join(folder, "case")).sort()).toEqual(["main.tf", "steps.json"]);
  expect(readdirSync(join(folder, "out", "01-create")).sort()).toEqual([
    "diagnostics.txt",
    "plan.json",
    "plan.txt",
    "result.json",
    "state.json",
    "terraform.tfstate",
    "ui.jsonl",
    "variables.tfvars.json",
  ]);
  expect(read("01-create", "ui.jsonl")).toContain("Apply complete! Resources: 1 added, 0 changed, 0 destroyed.");
  expect(read("02-drift", "state.json")).toContain("drifted");
  expect(read("03-step", "plan.txt")).toContain('"drifted" -> "two"');
});

test("a step with another outcome than the expected one is a failure", () => {
  const { status, output } = run({ "main.tf": main, "steps.json": JSON.stringify({ steps: [{ expect: "planFails" }] }) });
  expect(status).toBe(1);
  expect(output).toContain("01-step: success (not expected)");
});

test("the commands of an equivalence test are run, and the captured outputs are written", () => {
  expect(run({ "main.tf": main, "spec.json": "{}" })).toEqual({ status: 0, output: "" });
  expect(read("plan")).toContain('tofu apply "equivalence_test_plan"');
  const types = (JSON.parse(read("apply.json")) as readonly { readonly type: string }[]).map(({ type }) => type);
  expect(types).toEqual(["version", "planned_change", "apply_start", "apply_complete", "change_summary", "outputs"]);
  expect(JSON.parse(read("state.json"))).toMatchObject({ format_version: "1.0", values: { outputs: { text: { value: "one" } } } });
  expect(JSON.parse(read("plan.json"))).toMatchObject({ format_version: "1.2", errored: false });
});
