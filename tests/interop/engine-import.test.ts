// SPDX-License-Identifier: Apache-2.0
// Imports of single objects leave the state files of `tofu import`, byte for byte, and report its errors.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openWorkspace, type EngineEvent, type ImportIdentifier, type ImportResult } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { localState } from "@tenon/engine/state/stores";
import { providerFactory } from "@tenon/plugin-host";
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";

const source = "tenon.example/test/framework";

function main(folder: string, more = ""): string {
  return `
terraform {
  required_providers {
    framework = { source = "${source}" }
  }
}
variable "notes" {
  type      = map(string)
  default   = { plain = "1" }
  sensitive = true
}
provider "framework" {
  directory = "${folder}"
}
resource "framework_record" "a" {
  name = "a"
}
resource "framework_record" "b" {
  name  = "b"
  tags  = [framework_record.a.id]
  notes = var.notes
}
module "inner" {
  source = "./inner"
  count  = 2
  index  = count.index
}
output "b" { value = framework_record.b.size }
output "a" { value = framework_record.a.name }
output "inner" { value = module.inner[*].id }
${more}`;
}

const inner = String.raw`
terraform {
  required_providers {
    framework = { source = "${source}" }
  }
}
variable "index" {}
resource "framework_record" "r" {
  for_each = toset(["x", "y"])
  name     = "${"${"}each.key}${"${"}var.index}"
}
output "id" { value = [for one in framework_record.r : one.id] }
`;

/** Text without frames and line breaks. */
function plain(text: string): string {
  return text.replace(/[│╷╵]/g, " ").replace(/\s+/g, " ").trim();
}

describePeer(["tofu", "framework-provider"], "an import", ({ tofu, "framework-provider": framework }) => {
  function cliWith(): CliWorkspace {
    const cli = new CliWorkspace(tofu.path, { kind: "devOverrides", source, folder: dirname(framework.path) });
    cli.write({ "main.tf": main(cli.folder), "inner/main.tf": inner });
    return cli;
  }

  async function imported(
    cli: CliWorkspace,
    address: string,
    identifier: ImportIdentifier,
    onEvent?: (event: EngineEvent) => void,
  ): Promise<ImportResult> {
    const workspace = openWorkspace({
      configuration: cli.folder,
      state: localState({ path: join(cli.folder, "ours.tfstate") }),
      providers: { [source]: providerFactory(framework.path) },
    });
    return workspace.importObject(address, identifier, onEvent ? { onEvent } : {});
  }

  /** The id of the object that an instance has in the state of tofu. */
  function idOf(cli: CliWorkspace, address: string): string {
    const { resources } = JSON.parse(readFileSync(join(cli.folder, "terraform.tfstate"), "utf8")) as {
      readonly resources: readonly {
        readonly module?: string;
        readonly type: string;
        readonly name: string;
        readonly instances: readonly { readonly index_key?: string; readonly attributes: { readonly id: string } }[];
      }[];
    };
    for (const { module, type, name, instances } of resources) {
      for (const { index_key: key, attributes } of instances) {
        const text = `${module === undefined ? "" : `${module}.`}${type}.${name}${key === undefined ? "" : `["${key}"]`}`;
        if (text === address) return attributes.id;
      }
    }
    throw new Error(`${address} is not in the state`);
  }

  /** The state files after the import by tofu and by the engine, of a state from which the object was removed before. */
  async function both(
    cli: CliWorkspace,
    address: string,
    identifier: (id: string) => ImportIdentifier = (id) => ({ id }),
  ): Promise<{ readonly theirs: string; readonly ours: string }> {
    const id = idOf(cli, address);
    await cli.must(["state", "rm", address]);
    cli.write({ "ours.tfstate": readFileSync(join(cli.folder, "terraform.tfstate"), "utf8") });
    await cli.must(["import", "-no-color", address, id]);
    const { diagnostics, errored } = await imported(cli, address, identifier(id));
    if (errored) throw new Error(JSON.stringify(diagnostics));
    return {
      theirs: readFileSync(join(cli.folder, "terraform.tfstate"), "utf8"),
      ours: readFileSync(join(cli.folder, "ours.tfstate"), "utf8"),
    };
  }

  test("leaves the state file of tofu import", { timeout: 240_000 }, async ({ expect }) => {
    using cli = cliWith();
    await cli.must(["get"]);
    await cli.apply();
    for (const address of ["framework_record.b", 'module.inner[1].framework_record.r["y"]', "framework_record.a"]) {
      const { theirs, ours } = await both(cli, address);
      expect(ours, address).toBe(theirs);
    }
    const byIdentity = await both(cli, "framework_record.a", (id) => ({ identity: { id } }));
    expect(byIdentity.ours).toBe(byIdentity.theirs);
    // Moved objects stay where they are, and outputs and data that the configuration has no longer follow it.
    cli.write({
      "main.tf": main(cli.folder, "moved {\n  from = framework_record.old\n  to   = framework_record.a\n}\n").replace(/output "a".*\n/, ""),
    });
    const { theirs, ours } = await both(cli, "framework_record.b");
    expect(ours).toBe(theirs);
  });

  test("reports the errors of tofu import, and leaves the state", { timeout: 240_000 }, async ({ expect }) => {
    using cli = cliWith();
    await cli.must(["get"]);
    await cli.apply();
    const state = readFileSync(join(cli.folder, "terraform.tfstate"), "utf8");
    cli.write({ "ours.tfstate": state });
    const faulty = main(
      cli.folder,
      'resource "framework_record" "new" {\n  count = 1\n  name  = "new"\n}\nresource "terraform_data" "later" {}\n',
    );
    const unknown = faulty.replace(`directory = "${cli.folder}"`, "directory = terraform_data.later.output");
    for (const [address, configuration] of [
      ["framework_record.a", faulty],
      ["framework_record.none", faulty],
      ["module.none.framework_record.a", faulty],
      ["module.inner[0].framework_record.none", faulty],
      ["framework_record.new[0]", faulty],
      ["framework_record.new[7]", faulty],
      ['module.inner[7].framework_record.r["x"]', faulty],
      ["framework_record.new[0]", unknown],
      ["data.framework_record.a", faulty],
    ] as const) {
      cli.write({ "main.tf": configuration });
      const run = await cli.run(["import", "-no-color", address, "nothing"]);
      const { diagnostics, errored } = await imported(cli, address, { id: "nothing" });
      const theirs = plain(run.stderr);
      expect(errored, `${address}: ${theirs}`).toBe(true);
      const errors = diagnostics.filter(({ severity }) => severity === "error");
      for (const { summary, detail } of errors) {
        expect(theirs, address).toContain(plain(`Error: ${summary}`));
        expect(theirs, address).toContain(plain(detail));
      }
      expect(theirs.split("Error: ").length - 1, `${address}: ${theirs}`).toBe(errors.length);
      expect(readFileSync(join(cli.folder, "ours.tfstate"), "utf8")).toBe(state);
    }
  });

  test("reports what it does as events", { timeout: 120_000 }, async ({ expect }) => {
    using cli = cliWith();
    await cli.must(["get"]);
    await cli.apply();
    const id = idOf(cli, "framework_record.a");
    await cli.must(["state", "rm", "framework_record.a"]);
    cli.write({ "ours.tfstate": readFileSync(join(cli.folder, "terraform.tfstate"), "utf8") });
    const types: string[] = [];
    await imported(cli, "framework_record.a", { id }, ({ type }) => types.push(type));
    expect(types).toEqual(["importStarted", "refreshStarted", "refreshEnded"]);
  });
});

describe("an import without a peer", () => {
  test("of an address that cannot be parsed throws", async ({ expect }) => {
    const workspace = openWorkspace({ configuration: objectFiles({ "main.tf": "" }) });
    await expect(workspace.importObject("nothing", { id: "1" })).rejects.toMatchObject({ code: "INVALID_ADDRESS" });
  });
});
