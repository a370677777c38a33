// SPDX-License-Identifier: Apache-2.0
// The graph of a configuration without a state is that of `tofu graph`, byte for byte.
import { openWorkspace } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { outputsJson, renderGraph } from "@tenon/engine/documents";
import { localState } from "@tenon/engine/state/stores";
import { describePeer } from "@tenon/peers/vitest";
import { providerFactory } from "@tenon/plugin-host";
import { dirname, join } from "node:path";
import { describe, test } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";

const source = "tenon.example/test/framework";
const required = `terraform {\n  required_providers {\n    framework = { source = "${source}" }\n  }\n}\n`;

const configurations: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "values, repetition, data and modules": {
    "main.tf": `
variable "v" { default = 1 }
locals { l = var.v }
resource "terraform_data" "a" { input = local.l }
resource "terraform_data" "b" {
  count = 2
  input = terraform_data.a.id
}
data "terraform_remote_state" "r" {
  backend = "local"
  config  = { path = terraform_data.b[0].output }
}
module "m" {
  source = "./m"
  x      = terraform_data.b[*].id
}
module "n" {
  source     = "./m"
  for_each   = toset(["a"])
  x          = module.m.y
  depends_on = [terraform_data.a]
}
output "o" { value = module.m.y }
output "p" {
  value      = [for one in module.n : one.y]
  depends_on = [data.terraform_remote_state.r]
}
`,
    "m/main.tf": `
variable "x" {
  validation {
    condition     = var.x != ""
    error_message = "empty"
  }
}
resource "terraform_data" "c" {
  input = var.x
  lifecycle { replace_triggered_by = [terraform_data.d] }
}
resource "terraform_data" "d" {}
output "y" { value = terraform_data.c.id }
`,
  },
  "checks and conditions": {
    "main.tf": `
resource "terraform_data" "a" {
  lifecycle {
    postcondition {
      condition     = terraform_data.b.id != ""
      error_message = "x"
    }
  }
}
resource "terraform_data" "b" {}
check "c" {
  assert {
    condition     = terraform_data.a.id != ""
    error_message = "x"
  }
}
`,
  },
  "providers, aliases and functions": {
    "main.tf": `${required}
variable "folder" {}
provider "framework" { directory = var.folder }
provider "framework" {
  alias     = "other"
  directory = terraform_data.d.output
}
provider "framework" {
  alias     = "unused"
  directory = var.folder
}
resource "terraform_data" "d" { input = "d" }
resource "framework_record" "a" { name = "a" }
resource "framework_record" "b" {
  provider = framework.other
  name     = provider::framework::join("-", framework_record.a.id, "b")
}
module "inner" {
  source    = "./inner"
  providers = { framework = framework.other }
}
`,
    "inner/main.tf": `${required}resource "framework_record" "c" { name = "c" }\n`,
  },
};

describePeer(["tofu", "framework-provider"], "the graph of a configuration", ({ tofu, "framework-provider": framework }) => {
  test.for(Object.entries(configurations))("with %s is that of tofu graph", { timeout: 120_000 }, async ([, files], { expect }) => {
    using cli = new CliWorkspace(tofu.path, { kind: "devOverrides", source, folder: dirname(framework.path) });
    cli.write(files);
    await cli.must(["get"]);
    const theirs = await cli.must(["graph"], { env: { TF_VAR_folder: "x" } });
    const workspace = openWorkspace({ configuration: cli.folder, providers: { [source]: providerFactory(framework.path) } });
    const { graph, diagnostics } = await workspace.graph();
    expect(diagnostics).toEqual([]);
    expect(renderGraph(graph!)).toBe(theirs.slice(theirs.indexOf("digraph")).replace(/\n+$/, "\n"));
  });

  test("outputs are those of tofu output -json", { timeout: 120_000 }, async ({ expect }) => {
    using cli = new CliWorkspace(tofu.path, { kind: "devOverrides", source, folder: dirname(framework.path) });
    cli.write({
      "main.tf":
        'output "a" {\n  value = { list = [1, true, null], text = "<&>" }\n}\noutput "b" {\n  value = "hidden"\n  sensitive = true\n}\noutput "c" {\n  value = toset(["y", "x"])\n}\n',
    });
    await cli.apply();
    const workspace = openWorkspace({ configuration: cli.folder, state: localState({ path: join(cli.folder, "terraform.tfstate") }) });
    const theirs: unknown = JSON.parse(await cli.must(["output", "-json"]));
    expect(outputsJson(await workspace.outputs())).toEqual(theirs);
  });
});

describe("a graph as data", () => {
  test("has each block with what it depends on", async ({ expect }) => {
    const main =
      'locals {\n  a = 1\n}\nresource "terraform_data" "b" {\n  input = local.a\n}\noutput "c" {\n  value = terraform_data.b.id\n}\n';
    const { graph } = await openWorkspace({ configuration: objectFiles({ "main.tf": main }) }).graph();
    const builtIn = 'provider["terraform.io/builtin/terraform"]';
    expect(graph!.nodes).toEqual([
      { name: "local.a (expand)", kind: "local", address: "local.a", dependencies: [] },
      { name: "output.c (expand)", kind: "output", address: "output.c", dependencies: ["terraform_data.b (expand)"] },
      { name: builtIn, kind: "provider", address: builtIn, dependencies: [] },
      { name: "terraform_data.b (expand)", kind: "resource", address: "terraform_data.b", dependencies: ["local.a (expand)", builtIn] },
    ]);
  });
});
