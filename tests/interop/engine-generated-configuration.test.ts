// SPDX-License-Identifier: Apache-2.0
// The engine generates exactly the same configuration for imported objects as `tofu plan -generate-config-out`.
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { EngineError, openWorkspace, type Plan } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { memoryState, type StateStore } from "@tenon/engine/state/stores";
import { describePeer } from "@tenon/peers/vitest";
import { providerFactory } from "@tenon/plugin-host";
import type { ProviderFactory } from "@tenon/schema";
import { afterAll, beforeAll, describe, test, vi, type ExpectStatic } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";

// Each step starts real processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** A provider, and resources whose objects are imported. */
interface Subject {
  readonly name: string;
  /** The source of the `provider` blocks for a folder with objects. */
  readonly provider: (folder: string) => string;
  /** The source of each resource's arguments, by the resource's address. */
  readonly resources: Readonly<Record<string, string>>;
}

const framework: Subject = {
  name: "framework",
  provider: (folder) =>
    `provider "framework" {\n  directory = "${folder}"\n}\nprovider "framework" {\n  alias     = "other"\n  directory = "${folder}"\n}\n`,
  resources: {
    "framework_record.plain": 'name = "plain"',
    "framework_record.aliased": 'name = "aliased"',
    "framework_record.full": `
name    = "a \\"quoted\\" $\${name} %%{ if } and \\n\\ttab é 👍"
kind    = "special"
flag    = true
size    = 12
ratio   = 0.1
precise = 123456789012345678901234567890.5
tags    = ["x", "", "y z"]
labels  = ["b", "a"]
notes   = { plain = "1", "not an identifier" = "2", json = "[1, 2]" }
origin  = { host = "h", port = 22 }
anything = { list = [1, "two", true, null], deep = { a = {} } }
caseless = "MiXed"
secret   = "hidden"
old_name = "left out"
single   = { key = "s" }
items    = [{ key = "i1", value = "{}" }, { key = "i2" }]
entries  = { first = { key = "e" }, second = { key = "f", value = "[]" } }
members  = [{ key = "m", value = "v" }, { key = "n" }]
rule {
  port = 80
  match {
    pattern = "a*"
  }
  match {
    pattern = "b*"
  }
}
rule {
  port    = 443
  comment = "[{\\"a\\": 1.50, \\"b c\\": [true, null, \\"$\${x}\\"]}]"
}
access {
  role  = "reader"
}
access {
  role  = "writer"
  write = true
}
limits {
  cpu = 0.5
}
`,
    "framework_record.json":
      'name = "{\\"k\\": {\\"nested\\": [1e3, \\"x\\"]}, \\"empty\\": []}"\nnotes = { "a.b" = "c" }\nitems = []\nentries = {}',
  },
};

const sdkv2: Subject = {
  name: "sdkv2",
  provider: (folder) => `provider "sdkv2" {\n  directory = "${folder}"\n}\n`,
  resources: {
    "sdkv2_server.small": 'name = "small"\nimage = "i"',
    "sdkv2_server.full": `
name     = "full"
image    = "debian"
size     = "big"
cores    = 4
load     = 1.5
running  = true
password = "hidden"
zone     = "z"
commands = ["one", "two words", "{}"]
groups   = ["b", "a"]
labels   = { a = "1", "b/c" = "2" }
disk {
  gigabytes = 1
  mount {
    path = "/a"
  }
  mount {
    path     = "/b"
    readonly = true
  }
}
disk {
  gigabytes = 2
  kind      = "hdd"
}
rule {
  port = 22
}
contact {
  mail = "a@example.com"
}
`,
  },
};

const notebook: Subject = {
  name: "notebook",
  provider: (folder) => `provider "notebook" {\n  path = "${folder}/notebook.db"\n}\n`,
  resources: {
    "notebook_note.a": 'title = "Bread"\nbody = "flour\\nwater"\ntags = { kind = "food", "a b" = "c" }\npassphrase = "hidden"',
    "notebook_note.b": 'title = "[]"\nfolder = "later"',
  },
};

const sourceOf = (name: string): string => `registry.opentofu.org/tenon/${name}`;
const required = (name: string): string => `terraform {\n  required_providers {\n    ${name} = { source = "tenon/${name}" }\n  }\n}\n`;

/** Imports the objects of a subject with tofu and with the engine, and compares the generated configurations. */
async function compare(expect: ExpectStatic, tofu: string, subject: Subject, folder: string, factory: ProviderFactory): Promise<void> {
  const { name, resources } = subject;
  using cli = new CliWorkspace(tofu, { kind: "devOverrides", source: sourceOf(name), folder });
  const objects = join(cli.folder, "objects");
  mkdirSync(objects);
  const head = required(name) + subject.provider(objects);
  const blocks = Object.entries(resources).map(([address, body]) => {
    const [type, label] = address.split(".");
    return `resource "${type}" "${label}" {\n${body}\n}\n`;
  });
  cli.write({ "main.tf": head + blocks.join("") });
  await cli.apply();
  const state = JSON.parse(readFileSync(join(cli.folder, "terraform.tfstate"), "utf8")) as {
    readonly resources: readonly {
      readonly type: string;
      readonly name: string;
      readonly instances: readonly [{ readonly attributes: { readonly id: string } }];
    }[];
  };
  const imports = state.resources.map(({ type, name: label, instances: [{ attributes }] }) => {
    const provider = label === "aliased" ? `  provider = ${name}.other\n` : "";
    return `import {\n  to = ${type}.${label}\n  id = ${JSON.stringify(attributes.id)}\n${provider}}\n`;
  });
  const main = head + imports.join("");

  cli.write({ "main.tf": main, "terraform.tfstate": "" });
  const planned = await cli.run(["plan", "-input=false", "-json", "-out=plan.bin", "-generate-config-out=generated.tf"]);
  const theirs = readFileSync(join(cli.folder, "generated.tf"), "utf8");
  expect(theirs).toContain("# __generated__ by OpenTofu");

  const store = memoryState();
  await using plan = await openPlan(main, store, name, factory);
  // tofu writes the blocks in random order.
  expect(sectionsOf(plan.generatedConfiguration ?? "")).toEqual(sectionsOf(theirs));
  expect(errorsOf(plan)).toEqual(loggedErrors(planned.stdout));
  if (planned.code !== 0) return;
  const document = JSON.parse(await cli.must(["show", "-json", "plan.bin"])) as { readonly resource_changes: unknown };
  const ours = JSON.parse(JSON.stringify(await plan.toJson())) as typeof document;
  expect(ours.resource_changes).toEqual(document.resource_changes);

  // The plan can be applied. After that, the configuration with the generated file has no changes.
  const applied = await plan.apply();
  expect(applied.diagnostics).toEqual([]);
  expect([...applied.state.resources.keys()].sort()).toEqual(Object.keys(resources).sort());
  await using again = await openPlan(main, store, name, factory, { "generated.tf": theirs });
  expect(errorsOf(again)).toEqual([]);
}

function sectionsOf(file: string): readonly string[] {
  return file.split(/(?=\n# __generated__)/).sort();
}

function openPlan(
  main: string,
  state: StateStore,
  name: string,
  factory: ProviderFactory,
  more: Readonly<Record<string, string>> = {},
): Promise<Plan> {
  const workspace = openWorkspace({
    configuration: objectFiles({ "main.tf": main, ...more }),
    state,
    providers: { [sourceOf(name)]: factory },
  });
  return workspace.plan({ generateConfiguration: true });
}

function errorsOf({ diagnostics }: Plan): readonly string[] {
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ summary, detail }) => `${summary}: ${detail}`)
    .sort();
}

function loggedErrors(log: string): readonly string[] {
  return log
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map(
      (line) =>
        (JSON.parse(line) as { readonly diagnostic?: { readonly severity: string; readonly summary: string; readonly detail?: string } })
          .diagnostic,
    )
    .flatMap((one) => (one?.severity === "error" ? [`${one.summary}: ${one.detail ?? ""}`] : []))
    .sort();
}

describePeer(["tofu", "framework-provider"], "generated configuration of a provider of protocol 6", (peers) => {
  test("is that of tofu", async ({ expect }) => {
    const { path } = peers["framework-provider"];
    await compare(expect, peers.tofu.path, framework, dirname(path), providerFactory(path));
  });
});

describePeer(["tofu", "sdkv2-provider"], "generated configuration of a provider of protocol 5", (peers) => {
  test("is that of tofu", async ({ expect }) => {
    const { path } = peers["sdkv2-provider"];
    await compare(expect, peers.tofu.path, sdkv2, dirname(path), providerFactory(path));
  });
});

describePeer(["tofu"], "generated configuration of a provider in TypeScript", (peers) => {
  let packaged: PackagedProvider;
  beforeAll(() => {
    packaged = packageExample(
      "apps/examples/notebook/src/main.ts",
      "--name",
      "notebook",
      "--version",
      "1.0.0",
      "--address",
      sourceOf("notebook"),
    );
  });
  afterAll(() => packaged[Symbol.dispose]());

  test("is that of tofu", async ({ expect }) => {
    const dev = join(packaged.folder, "dev");
    await compare(expect, peers.tofu.path, notebook, dev, providerFactory(join(dev, "terraform-provider-notebook")));
  });
});

describe("generated configuration", () => {
  const planned = async (main: string, generateConfiguration: boolean): Promise<readonly string[]> => {
    const files = { "main.tf": main, "m/main.tf": "" };
    await using plan = await openWorkspace({ configuration: objectFiles(files), providers: {} }).plan({ generateConfiguration });
    return errorsOf(plan);
  };
  const into = (to: string): string => `import {\n  to = ${to}\n  id = "x"\n}\nmodule "m" {\n  source = "./m"\n}\n`;

  test("is generated only on request", async ({ expect }) => {
    expect(await planned(into("terraform_data.a"), false)).toEqual([
      "Configuration for import target does not exist: The configuration for the given import terraform_data.a does not exist. All target instances must have an associated configuration to be imported.",
    ]);
    expect(await planned(into("terraform_data.a"), true)).toEqual([]);
  });

  test("is neither possible in modules nor for instances with keys", async ({ expect }) => {
    expect(await planned(into("module.m.terraform_data.a"), true)).toEqual([
      "Cannot generate configuration for resource inside sub-module: The configuration for the given import module.m.terraform_data.a does not exist. Configuration generation is only possible for resources in the root module, and not possible for resources in sub-modules.",
    ]);
    expect(await planned(into("terraform_data.a[0]"), true)).toEqual([
      "Configuration generation for count and for_each resources not supported: The configuration for the given import terraform_data.a[0] does not exist. Configuration generation is only possible for resources that do not use count or for_each",
    ]);
  });

  test("needs a configuration that is valid without it", async ({ expect }) => {
    expect(await planned(`${into("terraform_data.a")}output "id" {\n  value = terraform_data.a.id\n}\n`, true)).toEqual([
      'Reference to undeclared resource: There is no managed resource "terraform_data" "a" definition in the root module.',
    ]);
  });

  test("is an error in other modes than normal", async ({ expect }) => {
    const workspace = openWorkspace({ configuration: objectFiles({ "main.tf": "" }), providers: {} });
    await expect(workspace.plan({ generateConfiguration: true, mode: "destroy" })).rejects.toThrow(EngineError);
  });
});
