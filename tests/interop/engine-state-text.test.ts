// SPDX-License-Identifier: Apache-2.0
// The text of a state is that of `tofu show`, byte for byte.
import { join } from "node:path";
import { openWorkspace, type Workspace } from "@tenon/engine";
import { localState } from "@tenon/engine/state/stores";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";

const files: Readonly<Record<string, string>> = {
  "main.tf": `
resource "terraform_data" "a" {
  count = 2
  input = { x = null, y = "b\\nc\\n", z = [] }
}
resource "terraform_data" "hidden" {
  input = { password = sensitive("s"), user = "u" }
}
data "terraform_remote_state" "none" {
  backend = "local"
  config  = { path = "absent.tfstate" }
  defaults = { size = 3 }
}
module "m" {
  source   = "./m"
  for_each = toset(["p", "q"])
}
module "a" {
  source = "./m"
}
output "hidden" {
  value     = { a = sensitive("x"), b = null }
  sensitive = true
}
output "name-with-dash" {
  value = "hello"
}
output "nothing" {
  value = { a = null, b = [], c = {} }
}
`,
  "m/main.tf": `
module "inner" {
  source = "./inner"
}
resource "terraform_data" "first" {
  input = "v"
}
resource "terraform_data" "second" {
  input = ["v", null, 3]
}
`,
  "m/inner/main.tf": 'resource "terraform_data" "deep" {}\n',
};

describePeer(["tofu"], "the text of a state", ({ tofu }) => {
  function workspaceOf(cli: CliWorkspace): Workspace {
    return openWorkspace({ configuration: cli.folder, state: localState({ path: join(cli.folder, "terraform.tfstate") }) });
  }

  test("is that of `tofu show`", async ({ expect }) => {
    using cli = new CliWorkspace(tofu.path, { kind: "filesystemMirror", folder: "/nowhere" });
    cli.write({
      ...files,
      "absent.tfstate": '{"version":4,"terraform_version":"1.12.6","serial":1,"lineage":"a","outputs":{},"resources":[]}',
    });
    await cli.must(["init", "-no-color"]);
    await cli.apply();
    await cli.must(["taint", "terraform_data.a[1]"]);
    expect(await workspaceOf(cli).stateText()).toBe(await cli.must(["show", "-no-color"]));
    expect(await workspaceOf(cli).stateText({ color: true })).toBe(await cli.must(["show"]));
  });

  test("is a sentence if the state is empty", async ({ expect }) => {
    using cli = new CliWorkspace(tofu.path, { kind: "filesystemMirror", folder: "/nowhere" });
    cli.write({ "main.tf": 'resource "terraform_data" "a" {}\n' });
    await cli.must(["init", "-no-color"]);
    await cli.apply();
    await cli.destroy();
    expect(await workspaceOf(cli).stateText()).toBe(await cli.must(["show", "-no-color"]));
  });
});
