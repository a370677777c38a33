// SPDX-License-Identifier: Apache-2.0
// The tfcoremock example under tofu: its resource types live through every change, and its options have their effects.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWorkspace } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { memoryState } from "@tenon/engine/state/stores";
import { tfcoremock } from "@tenon/example-tfcoremock";
import { describePeer } from "@tenon/peers/vitest";
import { createProvider } from "@tenon/provider-sdk";
import { afterAll, beforeAll, beforeEach, afterEach, test } from "vitest";
import { CliWorkspace, type PlanJson, type ResourceChangeJson } from "./cli-workspace.ts";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";

const address = "registry.opentofu.org/hashicorp/tfcoremock";

const dynamicResources = JSON.stringify({
  tfcoremock_thing: {
    attributes: {
      size: { type: "integer", required: true, replace: true },
      secret: { type: "string", optional: true, sensitive: true },
      made: { type: "string", computed: true, value: { string: "made by the provider" } },
      absent: { type: "number", computed: true },
      parts: {
        type: "list",
        optional: true,
        list: {
          type: "object",
          object: { name: { type: "string", required: true }, grade: { type: "string", computed: true, value: { string: "A" } } },
        },
      },
      plain: {
        type: "map",
        optional: true,
        skip_nested_metadata: true,
        map: { type: "object", object: { on: { type: "boolean", optional: true } } },
      },
    },
    blocks: { rule: { mode: "set", attributes: { port: { type: "number", optional: true } } } },
  },
});

const thing = (size: number, more = ""): string => `
  resource "tfcoremock_thing" "a" {
    id     = "thing"
    size   = ${size}
    secret = "hidden"
    parts  = [{ name = "one" }, { name = "two" }]
    plain  = { x = { on = true }, y = { on = null } }
    rule { port = 80 }
    rule { port = 443.5 }
    ${more}
  }`;

describePeer(["tofu"], "tfcoremock under tofu", (peers) => {
  let provider: PackagedProvider;
  let workspace: CliWorkspace;
  beforeAll(() => {
    provider = packageExample("apps/examples/tfcoremock/src/main.ts", "--name", "tfcoremock", "--version", "0.1.1", "--address", address);
  });
  afterAll(() => provider[Symbol.dispose]());
  beforeEach(() => {
    workspace = new CliWorkspace(peers.tofu.path, { kind: "devOverrides", source: address, folder: join(provider.folder, "dev") });
  });
  afterEach(() => workspace[Symbol.dispose]());

  const changes = (plan: PlanJson): readonly ResourceChangeJson[] => plan.resource_changes ?? [];
  const object = (id: string): unknown => JSON.parse(readFileSync(join(workspace.folder, "terraform.resource", `${id}.json`), "utf8"));

  test("a declared resource is created, updated, replaced, repaired and destroyed", async ({ expect }) => {
    workspace.write({ "dynamic_resources.json": dynamicResources, "main.tf": thing(1) });
    await workspace.apply();
    const values = {
      id: { string: "thing" },
      made: { string: "made by the provider" },
      parts: {
        list: [
          { object: { grade: { string: "A" }, name: { string: "one" } } },
          { object: { grade: { string: "A" }, name: { string: "two" } } },
        ],
      },
      plain: { map: { x: { object: { on: { boolean: true } } }, y: { object: {} } } },
      rule: { set: [{ object: { port: { number: "443.5" } } }, { object: { port: { number: "80" } } }] },
      secret: { string: "hidden" },
      size: { number: "1" },
    };
    expect(object("thing")).toEqual({ resource_type: "tfcoremock_thing", values });
    expect((await workspace.state()).values!.root_module.resources![0]!.values).toMatchObject({
      absent: null,
      made: "made by the provider",
    });
    expect(changes(await workspace.plan())[0]!.change.actions).toEqual(["no-op"]);

    workspace.write({ "main.tf": thing(1, "rule {}") });
    expect(changes(await workspace.plan())[0]!.change.actions).toEqual(["update"]);
    await workspace.apply();
    workspace.write({ "main.tf": thing(2) });
    const replaced = changes(await workspace.plan())[0]!.change;
    expect(replaced.actions).toEqual(["delete", "create"]);
    expect(replaced.replace_paths).toEqual([["size"]]);
    await workspace.apply();

    const changed = { resource_type: "tfcoremock_thing", values: { ...values, size: { number: "2e+00" }, secret: { string: "other" } } };
    writeFileSync(join(workspace.folder, "terraform.resource", "thing.json"), JSON.stringify(changed));
    const repaired = changes(await workspace.plan())[0]!.change;
    expect([repaired.actions, repaired.before!["secret"], repaired.before!["size"]]).toEqual([["update"], "other", 2]);
    await workspace.apply();
    await workspace.destroy();
    expect(existsSync(join(workspace.folder, "terraform.resource"))).toBe(false);
  });

  test("static resources, data sources and imports read the files of objects", async ({ expect }) => {
    const stored = { resource_type: "tfcoremock_complex_resource", values: { id: { string: "found" }, float: { number: "0.1" } } };
    workspace.write({
      "terraform.data/found.json": JSON.stringify(stored),
      "terraform.resource/old.json": JSON.stringify({ resource_type: "tfcoremock_simple_resource", values: { id: { string: "old" } } }),
      "main.tf": `
        data "tfcoremock_complex_resource" "found" { id = "found" }
        resource "tfcoremock_complex_resource" "a" {
          float  = data.tfcoremock_complex_resource.found.float
          object = { list = [{ set = [{ string = "deep" }] }] }
          list_block {
            set_block { map = { a = { bool = true } } }
          }
        }
        resource "tfcoremock_simple_resource" "old" { number = 12345678901234567890 }
        import {
          to = tfcoremock_simple_resource.old
          id = "old"
        }`,
    });
    await workspace.apply();
    const files = readdirSync(join(workspace.folder, "terraform.resource"));
    expect(files.filter((name) => /^[\da-f-]{36}\.json$/.test(name))).toHaveLength(1);
    expect(object("old")).toMatchObject({ values: { number: { number: "12345678901234567890" } } });
    expect(changes(await workspace.plan()).map(({ change }) => change.actions)).toEqual([["no-op"], ["no-op"]]);
  });
});

test("the options of tfcoremock choose its folders and make operations fail", async ({ expect }) => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-tfcoremock-"));
  const state = memoryState();
  const run = async (options: string, string: string, mode: "normal" | "destroy" = "normal"): Promise<string> => {
    const main = `
      provider "tfcoremock" {
        ${options}
      }
      resource "tfcoremock_simple_resource" "a" {
        id     = "a"
        string = "${string}"
      }`;
    const configuration = objectFiles({ "main.tf": main });
    const workspace = openWorkspace({ configuration, state, providers: { [address]: async () => createProvider(tfcoremock({ folder })) } });
    await using plan = await workspace.plan({ mode });
    const diagnostics = plan.errored ? plan.diagnostics : (await plan.apply()).diagnostics;
    return diagnostics.map(({ summary, detail }) => `${summary} ${detail}`).join();
  };
  try {
    expect(await run('fail_on_create = ["a"]', "one")).toContain("failed to create resource");
    expect(await run("use_only_state = true", "one")).toBe("");
    expect(await run("use_only_state = true", "two")).toBe("");
    expect(readdirSync(folder)).toEqual([]);
    expect(await run("use_only_state = true", "two", "destroy")).toBe("");
    const objects = 'resource_directory = "objects"';
    expect(await run(objects, "one")).toBe("");
    expect(readdirSync(join(folder, "objects"))).toEqual(["a.json"]);
    expect(await run(`${objects}\nfail_on_update = ["a"]`, "two")).toContain("failed to update resource");
    expect(await run(`${objects}\nfail_on_read = ["a"]`, "two")).toContain("failed to read resource");
    expect(await run(`${objects}\nfail_on_delete = ["a"]`, "one", "destroy")).toContain("failed to delete resource");
    expect(await run(`${objects}\ndefer_changes = ["a"]`, "two")).toContain("defer");
    expect(await run(objects, "one", "destroy")).toBe("");
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
