// SPDX-License-Identifier: Apache-2.0
// The graphs of plans and applies, with a state, are those of `tofu graph`: each case is applied, then changed, and the graph of every
// operation on the change is compared byte for byte. Keys of deposed objects are replaced (the difference `graph-deposed-keys`).
import { openWorkspace, type GraphOptions, type PlanOptions } from "@tenon/engine";
import { renderGraph } from "@tenon/engine/documents";
import { localState } from "@tenon/engine/state/stores";
import { describePeer } from "@tenon/peers/vitest";
import { providerFactory } from "@tenon/plugin-host";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";
import { graphCases, type GraphCase } from "./engine-operation-graph-cases.ts";

const source = "tenon.example/test/framework";
const types = ["plan", "plan-refresh-only", "plan-destroy", "apply"] as const satisfies readonly GraphOptions["type"][];

describePeer(["tofu", "framework-provider"], "the graph of an operation", ({ tofu, "framework-provider": framework }) => {
  const open = (cli: CliWorkspace) =>
    openWorkspace({
      configuration: cli.folder,
      workingFolder: cli.folder,
      state: localState({ path: join(cli.folder, "terraform.tfstate") }),
      providers: { [source]: providerFactory(framework.path) },
    });
  describe.for(Object.entries(graphCases))("of %s", ([, graphCase]) => {
    test("is that of tofu graph, with a state and with a plan", { timeout: 240_000 }, async ({ expect }) => {
      using cli = new CliWorkspace(tofu.path, { kind: "devOverrides", source, folder: dirname(framework.path) });
      await prepare(cli, graphCase);
      const env = { TF_VAR_folder: cli.folder };
      const variables = { folder: cli.folder };
      const theirs = async (...args: readonly string[]): Promise<string> => normalized(await cli.must(["graph", ...args], { env }));
      await using workspace = open(cli);
      for (const type of types) {
        const { graph, diagnostics } = await workspace.graph({ type, variables });
        expect(diagnostics).toEqual([]);
        expect(normalized(renderGraph(graph!)), type).toBe(await theirs(`-type=${type}`));
      }
      for (const [options, flags] of plans(graphCase)) {
        await cli.must(["plan", "-input=false", "-out=plan.bin", ...flags], { env });
        await using plan = await workspace.plan({ ...options, variables });
        expect(
          plan.diagnostics.filter(({ severity }) => severity === "error"),
          flags.join(" "),
        ).toEqual([]);
        const { graph } = await plan.graph();
        expect(normalized(renderGraph(graph!)), `plan ${flags.join(" ")}`).toBe(await theirs("-plan=plan.bin"));
      }
    });
  });

  test("has what import blocks refer to, which tofu graph omits: `graph-of-imports`", { timeout: 120_000 }, async ({ expect }) => {
    using cli = new CliWorkspace(tofu.path, { kind: "devOverrides", source, folder: dirname(framework.path) });
    const block = "import {\n  to = terraform_data.a\n  id = var.id\n}\n";
    cli.write({ "main.tf": `variable "id" { default = "x" }\nresource "terraform_data" "a" {}\n${block}` });
    const theirs = normalized(await cli.must(["graph"]));
    await using workspace = open(cli);
    const { graph } = await workspace.graph();
    const edge = '"[root] terraform_data.a (expand)" -> "[root] var.id (expand, reference)"';
    expect(theirs).not.toContain(edge);
    expect(normalized(renderGraph(graph!))).toContain(edge);
  });

  test("without the provider configuration of an object has the error of tofu graph", { timeout: 120_000 }, async ({ expect }) => {
    using cli = new CliWorkspace(tofu.path, { kind: "devOverrides", source, folder: dirname(framework.path) });
    const provider = `provider "framework" {\n  alias     = "other"\n  directory = ${JSON.stringify(cli.folder)}\n}\n`;
    const required = `terraform {\n  required_providers {\n    framework = { source = "${source}" }\n  }\n}\n`;
    cli.write({
      "main.tf": `${required}${provider}resource "framework_record" "a" {\n  provider = framework.other\n  name     = "a"\n}\n`,
    });
    await cli.apply();
    cli.write({ "main.tf": required });
    const { stderr } = await cli.run(["graph", "-no-color"]);
    await using workspace = open(cli);
    const { graph, diagnostics } = await workspace.graph();
    expect(graph).toBeUndefined();
    expect(diagnostics.map(({ summary }) => summary)).toEqual(["Provider configuration not present"]);
    expect(stderr.replace(/\s*│?\s+/g, " ")).toContain(diagnostics[0]!.detail);
  });
});

/** The options of the plans of a case, for us and for the command line. */
function plans({ target }: GraphCase): readonly (readonly [PlanOptions, readonly string[]])[] {
  const all: (readonly [PlanOptions, readonly string[]])[] = [
    [{}, []],
    [{ mode: "destroy" }, ["-destroy"]],
    [{ mode: "refreshOnly" }, ["-refresh-only"]],
  ];
  if (target === undefined) return all;
  return [...all, [{ targets: [target] }, [`-target=${target}`]], [{ excludes: [target] }, [`-exclude=${target}`]]];
}

/** Applies the first configuration of a case, changes the state and writes the second configuration. */
async function prepare(cli: CliWorkspace, { before, after, deposed = [] }: GraphCase): Promise<void> {
  const env = { TF_VAR_folder: cli.folder };
  cli.write({
    "remote.tfstate": JSON.stringify({ version: 4, terraform_version: "1.12.6", serial: 1, lineage: "remote", outputs: {}, resources: [] }),
  });
  if (before !== undefined) {
    cli.write(before);
    await cli.must(["get"]);
    await cli.must(["apply", "-auto-approve", "-input=false"], { env });
    for (const name of Object.keys(before)) rmSync(join(cli.folder, name));
  }
  for (const [type, key] of deposed) addDeposed(join(cli.folder, "terraform.tfstate"), type, key);
  cli.write(after);
  await cli.must(["get"]);
}

/** Adds a deposed object to the state: a copy of the current object. */
function addDeposed(path: string, name: string, key: string): void {
  const state = JSON.parse(readFileSync(path, "utf8")) as { resources: { name: string; instances: object[] }[] };
  const resource = state.resources.find((one) => one.name === name)!;
  resource.instances.push({ ...resource.instances[0], deposed: key });
  writeFileSync(path, JSON.stringify(state));
}

function normalized(text: string): string {
  return text
    .slice(text.indexOf("digraph"))
    .replace(/\n+$/, "\n")
    .replaceAll(/deposed [0-9a-f]{8}/g, "deposed 00000000");
}
