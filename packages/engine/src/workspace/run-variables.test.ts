// SPDX-License-Identifier: Apache-2.0
import { list, of, string, toJs } from "@tenon/cty";
import { describe, test } from "vitest";
import { collectVariables } from "../configuration/index.ts";
import { objectFiles } from "../configuration/file-system.ts";
import { openWorkspace } from "./workspace.ts";
import type { RunVariables } from "./run-variables.ts";

const main = `
variable "name" { type = string }
variable "size" {
  type    = number
  default = 1
}
variable "tags" {
  type    = map(set(string))
  default = {}
}
variable "server" {
  type    = object({ port = number, hosts = list(string), note = optional(string, "none") })
  default = null
}
output "all" { value = [var.name, var.size, var.tags, var.server] }
`;

async function planned(variables: RunVariables): Promise<unknown> {
  await using plan = await openWorkspace({ configuration: objectFiles({ "main.tf": main }), providers: {} }).plan({ variables });
  if (plan.errored) return plan.diagnostics.map(({ summary }) => summary);
  return toJs(plan.changes.outputs[0]!.after);
}

describe("the values of variables", () => {
  test("can be JavaScript data, values, or data that contains values", async ({ expect }) => {
    const server = { port: "80", hosts: of(list(string), ["a"]) };
    expect(await planned({ name: of(string, "n"), size: 2n, tags: { t: ["b", "a", "b"] }, server })).toEqual([
      "n",
      2,
      { t: ["a", "b"] },
      { port: 80, hosts: ["a"], note: "none" },
    ]);
    expect(await planned({ name: 5, tags: new Map([["t", new Set(["a"])]]), server: null })).toEqual(["5", 1, { t: ["a"] }, null]);
  });

  test("are absent if they are undefined", async ({ expect }) => {
    expect(await planned({ name: "n", size: undefined })).toEqual(["n", 1, {}, null]);
    expect(await planned({ name: undefined })).toEqual(["No value for required variable"]);
  });

  test("that do not convert to the type of the variable are diagnostics", async ({ expect }) => {
    expect(await planned({ name: ["n"] })).toEqual(["Invalid value for input variable"]);
  });

  test("can be those of the environment and of files", async ({ expect }) => {
    const { given } = await collectVariables({
      environment: { TF_VAR_name: "n" },
      files: objectFiles({ "terraform.tfvars": "size = 3\n" }),
    });
    expect(await planned(given)).toEqual(["n", 3, {}, null]);
  });

  test("that cannot be values are errors with the path, and without the data", async ({ expect }) => {
    const invalid = planned({ server: { hosts: ["a", new Date(0)] } });
    await expect(invalid).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
    await expect(invalid).rejects.toThrow("variable server.hosts[1]: a value is required, not a Date: use toISOString()");
  });
});
