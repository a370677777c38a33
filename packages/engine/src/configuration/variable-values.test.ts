// SPDX-License-Identifier: Apache-2.0
import { list, number, of, string, toJs, type Value } from "@tenon/cty";
import { formatRange } from "@tenon/hcl";
import { describe, test } from "vitest";
import { collectVariables, loadConfiguration, objectFiles, resolveVariables, variablesFilesAmong, type GivenVariable } from "./index.ts";

async function declared(text: string) {
  const { configuration } = await loadConfiguration({ files: objectFiles({ "variables.tf": text }) });
  return configuration!.module.variables;
}

describe("collectVariables", () => {
  test("gives later sources precedence: environment, standard files, automatic files, options", async ({ expect }) => {
    const files = objectFiles({
      "terraform.tfvars": 'a = "standard"\nb = "standard"\nc = "standard"\n',
      "terraform.tfvars.json": '{"b": "standard JSON"}',
      "z.auto.tfvars": 'c = "automatic"\n',
      "y.auto.tfvars.json": '{"c": "first automatic"}',
      "other.tfvars": 'd = "other"\n',
      ".hidden.auto.tfvars": 'a = "hidden"\n',
    });
    const { given, diagnostics } = await collectVariables({
      environment: { TF_VAR_a: "environment", TF_VAR_e: "environment", HOME: "/" },
      files,
      options: [{ file: "other.tfvars" }, { name: "d", text: "option" }, { name: "f", value: of(number, 1) }],
    });
    expect(diagnostics).toEqual([]);
    const names = ["a", "b", "c", "d", "e", "f"];
    const variables = await declared(names.map((name) => `variable "${name}" {\n  type = string\n}\n`).join(""));
    const { values } = resolveVariables(given, variables);
    expect(names.map((name) => toJs(values.get(name)!))).toEqual(["standard", "standard JSON", "automatic", "option", "environment", 1]);
  });

  test("reports missing files and files that declare variables", async ({ expect }) => {
    const files = objectFiles({ "terraform.tfvars": 'variable "a" {}\n' });
    const { diagnostics } = await collectVariables({ files, options: [{ file: "gone.tfvars" }] });
    expect(diagnostics.map(({ summary, subject }) => [summary, subject && formatRange(subject)])).toEqual([
      ["Variable declaration in .tfvars file", "terraform.tfvars:1,1-9"],
      ["Failed to read variables file", undefined],
    ]);
  });

  test("reads a file of any name as JSON if it begins as JSON", async ({ expect }) => {
    const { given } = await collectVariables({ files: objectFiles({ values: ' {"a": 1}' }), options: [{ file: "values" }] });
    expect([...given.keys()]).toEqual(["a"]);
  });
});

test("variablesFilesAmong returns the files in the order in which they are read", ({ expect }) => {
  expect(variablesFilesAmong(["a.auto.tfvars", "b.auto.tfvars.json", "c.tfvars", "terraform.tfvars", "terraform.tfvars.json"])).toEqual([
    "terraform.tfvars",
    "terraform.tfvars.json",
    "a.auto.tfvars",
    "b.auto.tfvars.json",
  ]);
});

describe("resolveVariables", () => {
  const text = (value: string, origin: GivenVariable["origin"] = "environment"): GivenVariable => ({ kind: "text", text: value, origin });

  test("reads text as an expression unless the type is primitive", async ({ expect }) => {
    const variables = await declared('variable "a" {\n  type = list(string)\n}\nvariable "b" {\n  type = string\n}\nvariable "c" {}\n');
    const given = new Map([
      ["a", text('["x"]')],
      ["b", text('["x"]')],
      ["c", text("5")],
    ]);
    const { values, diagnostics } = resolveVariables(given, variables);
    expect(diagnostics).toEqual([]);
    expect([...values.values()].map(toJs)).toEqual([["x"], '["x"]', "5"]);
  });

  test("reports text that is not an expression, and variables without a value", async ({ expect }) => {
    const variables = await declared('variable "a" {\n  type = list(string)\n}\nvariable "b" {}\nvariable "c" {\n  default = 1\n}\n');
    const { diagnostics } = resolveVariables(new Map([["a", text("[")]]), variables);
    expect(diagnostics.map(({ summary }) => summary)).toContain("No value for required variable");
    expect(diagnostics[0]?.subject?.filename).toBe("<value for var.a>");
  });

  test("reports values without a variable by their origin", async ({ expect }) => {
    const variables = await declared("");
    const { given } = await collectVariables({ files: objectFiles({ "terraform.tfvars": "a = 1\nb = 2\nc = 3\nd = 4\n" }) });
    const all = new Map<string, GivenVariable | Value>([
      ...given,
      ["e", text("x")],
      ["f", text("x", "option")],
      ["g", of(list(string), [])],
    ]);
    expect(resolveVariables(all, variables).diagnostics.map(({ severity, summary }) => [severity, summary])).toEqual([
      ["warning", "Value for undeclared variable"],
      ["warning", "Value for undeclared variable"],
      ["error", "Value for undeclared variable"],
      ["error", "Value for undeclared variable"],
      ["warning", "Values for undeclared variables"],
    ]);
  });
});
