// SPDX-License-Identifier: Apache-2.0
// Expressions over a configuration and a stored state have the values and errors of `tofu console`.
import { join } from "node:path";
import { openWorkspace, type ConsoleResult } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { localState } from "@tenon/engine/state/stores";
import { providerFactory } from "@tenon/plugin-host";
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";

const files = {
  "main.tf": `
terraform {
  required_providers {
    framework = { source = "tenon.example/test/framework" }
  }
}
variable "region" { default = "eu" }
variable "needed" {
  type = string
}
variable "secret" {
  default   = "hush"
  sensitive = true
}
locals {
  names  = toset(["b", "a"])
  joined = join("-", [var.region, terraform_data.one.output])
  called = provider::framework::join("-", "a", "b")
  object = { n = 1, list = [true, null], text = "two\\nlines" }
}
resource "terraform_data" "one" { input = "x" }
resource "terraform_data" "many" {
  count = 2
  input = count.index
}
resource "terraform_data" "each" {
  for_each = local.names
  input    = { name = each.key }
}
resource "terraform_data" "off" {
  input = "never"
  lifecycle { enabled = false }
}
resource "terraform_data" "hidden" {
  input = var.secret
}
module "child" {
  source   = "./child"
  for_each = local.names
  name     = each.key
}
output "whole" { value = module.child["a"].name }
`,
  "child/main.tf": `
variable "name" {}
resource "terraform_data" "it" { input = var.name }
output "name" { value = upper(terraform_data.it.output) }
`,
  "later.tf": "",
};

/** Added after the apply, so that its objects are not in the state. */
const later = `
resource "terraform_data" "new" { input = "later" }
resource "terraform_data" "news" {
  count = 3
}
resource "terraform_data" "fresh" {
  for_each = { a = 1 }
}
`;

const valid = [
  "1 + 2",
  '"${var.region}!"',
  "var.needed",
  '"${var.needed}!"',
  "type(var.needed)",
  "var.secret",
  "[var.secret]",
  "local.joined",
  "local.object",
  "type(local.object)",
  "local.names",
  "terraform_data.one.input",
  "terraform_data.one.triggers_replace",
  "type(terraform_data.one)",
  "terraform_data.many[*].output",
  "terraform_data.many[1].input",
  'terraform_data.each["a"].output',
  "keys(terraform_data.each)",
  "terraform_data.off",
  "terraform_data.hidden.input",
  "terraform_data.new",
  "type(terraform_data.new)",
  "terraform_data.news",
  "terraform_data.fresh",
  "module.child",
  'module.child["b"].name',
  "[for key, one in module.child : one.name]",
  "terraform.workspace",
  "basename(path.cwd) == basename(abspath(path.root))",
  "ephemeralasnull(1)",
  "timestamp() == timestamp() || true",
  "length(uuid())",
  "type(type(1))",
  "tolist([1, 2])",
  "tomap({ a = null })",
  "tonumber(null)",
  "{}",
  "1e100",
  "0.1",
  "local.called",
];

const faulty = [
  "1 +",
  "nothing",
  "var.regoin",
  "local.nothing",
  "terraform_data.none.id",
  "terraform_data.one.inptu",
  "terraform_data.many.output",
  "module.none.x",
  "module.child.name",
  "self.id",
  "each.key",
  "[type(1)]",
  'lookup({}, "a")',
  "terraform.nothing",
];

/** Text without frames and line breaks. */
function plain(text: string): string {
  return text.replace(/[│╷╵]/g, " ").replace(/\s+/g, " ").trim();
}

describePeer(["tofu", "framework-provider"], "a console", ({ tofu, "framework-provider": framework }) => {
  async function withFolder(work: (cli: CliWorkspace, evaluate: (text: string) => Promise<ConsoleResult>) => Promise<void>): Promise<void> {
    const mirror = { kind: "devOverrides", source: "tenon.example/test/framework", folder: join(framework.path, "..") } as const;
    using cli = new CliWorkspace(tofu.path, mirror);
    cli.write(files);
    await cli.must(["get"]);
    await cli.apply("-var=needed=x");
    cli.write({ "later.tf": later });
    const workspace = openWorkspace({
      configuration: cli.folder,
      workingFolder: cli.folder,
      state: localState({ path: join(cli.folder, "terraform.tfstate") }),
      providers: { "tenon.example/test/framework": providerFactory(framework.path) },
    });
    await using session = await workspace.console();
    await work(cli, (text) => session.evaluate(text));
  }

  test("prints what tofu console prints", { timeout: 240_000 }, async ({ expect }) => {
    await withFolder(async (cli, evaluate) => {
      const script = valid.map((expression, index) => `"<<${index}>>"\n${expression}\n`).join("");
      const printed = await cli.must(["console", "-no-color"], { input: script });
      const theirs = printed.split(/^"<<\d+>>"\n/m).slice(1);
      const ours = await Promise.all(valid.map(evaluate));
      const texts = ours.map(({ text, diagnostics }) => text ?? diagnostics.map(({ summary, detail }) => `${summary} ${detail}`).join());
      expect(Object.fromEntries(valid.map((one, index) => [one, texts[index]]))).toEqual(
        Object.fromEntries(valid.map((one, index) => [one, theirs[index]?.replace(/\n$/, "")])),
      );
    });
  });

  test("reports the errors of tofu console", { timeout: 240_000 }, async ({ expect }) => {
    await withFolder(async (cli, evaluate) => {
      for (const expression of faulty) {
        const { stderr } = await cli.run(["console", "-no-color"], { input: `${expression}\n` });
        const { text, diagnostics } = await evaluate(expression);
        expect(text, expression).toBeUndefined();
        const theirs = plain(stderr);
        for (const { summary, detail } of diagnostics) {
          expect(theirs, expression).toContain(plain(`Error: ${summary}`));
          expect(theirs, expression).toContain(plain(detail));
        }
        expect(theirs.split("Error: ").length - 1, `${expression}: ${theirs}`).toBe(diagnostics.length);
      }
    });
  });
});

describe("a console without a peer", () => {
  // The difference `console-faulty-parts`.
  test("reports the errors of the configuration, and evaluates what does not need the faulty part", async ({ expect }) => {
    const main = 'locals {\n  bad  = 1 + "x"\n  good = 2\n}\n';
    const workspace = openWorkspace({ configuration: objectFiles({ "main.tf": main }), providers: {} });
    await using session = await workspace.console();
    expect(session.diagnostics.map(({ summary }) => summary)).toEqual(["Invalid operand"]);
    expect((await session.evaluate("local.good + 1")).text).toBe("3");
    const failed = await session.evaluate("local.bad");
    expect(failed.text).toBeUndefined();
    expect(failed.diagnostics.map(({ summary }) => summary)).toEqual(["Invalid operand"]);
  });

  // The difference `console-provider-functions`.
  test("calls functions of providers that the configuration does not call", async ({ expect }) => {
    const main = 'terraform {\n  required_providers {\n    terraform = { source = "terraform.io/builtin/terraform" }\n  }\n}\n';
    const workspace = openWorkspace({ configuration: objectFiles({ "main.tf": main }) });
    expect((await workspace.evaluate('provider::terraform::encode_expr(["a"])')).text).toBe('"[\\"a\\"]"');
  });

  test("reports a configuration that cannot be loaded", async ({ expect }) => {
    const workspace = openWorkspace({ configuration: objectFiles({ "main.tf": "locals {" }), providers: {} });
    const { value, diagnostics } = await workspace.evaluate("1");
    expect(value).toBeUndefined();
    expect(diagnostics.length).toBeGreaterThan(0);
  });

  test("hides sensitive values in its text, and returns them with their mark", async ({ expect }) => {
    const main = 'variable "token" {\n  sensitive = true\n}\n';
    const workspace = openWorkspace({ configuration: objectFiles({ "main.tf": main }), providers: {} });
    const { text, value } = await workspace.evaluate("{ token = var.token }", { variables: { token: "s3cret" } });
    expect(text).toBe('{\n  "token" = (sensitive value)\n}');
    expect(value).toBeDefined();
  });
});
