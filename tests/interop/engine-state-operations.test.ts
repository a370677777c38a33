// SPDX-License-Identifier: Apache-2.0
// The operations on stored states write exactly the same state files as tofu, and report the same errors.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatResourceInstance } from "@tenon/engine/address";
import { openWorkspace, type Workspace } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { readStateFile, writeStateFile } from "@tenon/engine/state";
import { localState, memoryState } from "@tenon/engine/state/stores";
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";

const builtIn = 'provider["terraform.io/builtin/terraform"]';
const acme = 'provider["registry.opentofu.org/acme/notebook"]';

interface Instance {
  readonly index_key?: string | number;
  readonly status?: "tainted";
  readonly deposed?: string;
  readonly dependencies?: readonly string[];
}

function instance(id: string, { index_key, status, deposed, dependencies }: Instance = {}): unknown {
  return {
    ...(index_key !== undefined && { index_key }),
    ...(status && { status }),
    ...(deposed && { deposed }),
    schema_version: 0,
    attributes: { id, input: null, output: null, triggers_replace: null },
    sensitive_attributes: [],
    ...(dependencies && { dependencies }),
  };
}

function resource(address: string, instances: readonly unknown[], provider: string = builtIn): unknown {
  const [, module, mode, type, name] = /^(?:(module\..*)\.)?(data\.)?([a-z_]+)\.([a-z]+)$/.exec(address)!;
  return { ...(module && { module }), mode: mode ? "data" : "managed", type, name, provider, instances };
}

function stateFile(resources: readonly unknown[]): string {
  const state = {
    version: 4,
    terraform_version: "1.12.6",
    serial: 7,
    lineage: "3f1b7f2e-0000-4000-8000-000000000001",
    outputs: { o: { value: "x", type: "string" } },
    resources,
    check_results: null,
  };
  // Written as the engine and tofu write it, so that an operation that changes nothing leaves the same bytes.
  return writeStateFile(readStateFile(JSON.stringify(state)).file!);
}

const start = stateFile([
  resource("data.acme_notes.all", [instance("notes")], acme),
  resource("acme_note.a", [instance("note-a")], acme),
  resource("terraform_data.many", [
    instance("m0", { index_key: 0 }),
    instance("m1", { index_key: 1, dependencies: ["terraform_data.one"] }),
  ]),
  resource("terraform_data.old", [instance("new", {}), instance("gone", { deposed: "0a1b2c3d" })]),
  resource("terraform_data.one", [instance("one")]),
  resource("terraform_data.replaced", [instance("half", { deposed: "0a1b2c3e" })]),
  resource("terraform_data.tainted", [
    instance("t", { status: "tainted", dependencies: ["module.net.terraform_data.sub", "terraform_data.many"] }),
  ]),
  resource("terraform_data.named", [instance("na", { index_key: "a" }), instance("nb", { index_key: "b" })]),
  resource("module.net.terraform_data.sub", [instance("sub", { dependencies: ["terraform_data.one"] })]),
  resource("module.net.module.deep.terraform_data.leaf", [instance("leaf", { dependencies: ["module.net.terraform_data.sub"] })]),
  resource('module.each["k"].terraform_data.sub', [instance("each-sub")]),
]);

/** An operation as a command of tofu, and as a call of a workspace. */
interface Operation {
  readonly command: readonly string[];
  readonly run: (
    workspace: Workspace,
  ) => Promise<{ readonly diagnostics: readonly { readonly summary: string; readonly detail: string }[] }>;
}

const move = (from: string, to: string): Operation => ({
  command: ["state", "mv", "-json", from, to],
  run: (workspace) => workspace.stored().move(from, to),
});
const remove = (...addresses: readonly string[]): Operation => ({
  command: ["state", "rm", "-json", ...addresses],
  run: (workspace) => workspace.stored().remove(...addresses),
});
const taint = (address: string): Operation => ({
  command: ["taint", "-json", address],
  run: (workspace) => workspace.stored().taint(address),
});
const untaint = (address: string): Operation => ({
  command: ["untaint", "-json", address],
  run: (workspace) => workspace.stored().untaint(address),
});
const replace = (from: string, to: string): Operation => ({
  command: ["state", "replace-provider", "-json", "-auto-approve", from, to],
  run: (workspace) => workspace.stored().replaceProvider(from, to),
});

const operations: readonly Operation[] = [
  move("terraform_data.one", "terraform_data.two"),
  move("terraform_data.one", "terraform_data.two[0]"),
  move("terraform_data.one", 'terraform_data.two["a"]'),
  move("terraform_data.one", "module.net.terraform_data.one"),
  move("terraform_data.one", "module.fresh.terraform_data.one"),
  move("terraform_data.one", "terraform_data.many[5]"),
  move("terraform_data.one", "terraform_data.many[1]"),
  move("terraform_data.one", "terraform_data.old"),
  move("terraform_data.one", "acme_note.b"),
  move("terraform_data.one", "data.terraform_data.one"),
  move("terraform_data.one", "module.net"),
  move("terraform_data.old", "terraform_data.older"),
  move("terraform_data.many", "terraform_data.lots"),
  move("terraform_data.many", "terraform_data.old"),
  move("terraform_data.many", "terraform_data.lots[0]"),
  move("terraform_data.many[0]", "terraform_data.first"),
  move("terraform_data.many[1]", "terraform_data.many[2]"),
  move("terraform_data.many[9]", "terraform_data.first"),
  move('terraform_data.named["a"]', 'terraform_data.named["c"]'),
  move("terraform_data.missing", "terraform_data.two"),
  move("module.net", "module.lan"),
  move("module.net", 'module.lan["x"]'),
  move("module.net", "module.a.module.b"),
  move('module.each["k"]', "module.net.module.deep"),
  move('module.each["k"]', "terraform_data.x"),
  move('module.each["k"]', "module.each[0]"),
  move('module.each["k"]', "module.net"),
  move("module.missing", "module.lan"),
  move("data.acme_notes.all", "data.acme_notes.every"),
  move("data.acme_notes.all", "acme_notes.all"),
  move("not an address", "terraform_data.x"),
  move("terraform_data.one", "x"),
  remove("terraform_data.one"),
  remove("terraform_data.old"),
  remove("terraform_data.many[0]"),
  remove("terraform_data.many"),
  remove("terraform_data.one", "terraform_data.missing"),
  remove("terraform_data.missing"),
  remove("module.net"),
  remove("module.each"),
  remove('module.each["k"]', "data.acme_notes.all"),
  remove("x y"),
  taint("terraform_data.one"),
  taint("terraform_data.many[1]"),
  taint("terraform_data.many"),
  taint("terraform_data.tainted"),
  taint("terraform_data.replaced"),
  taint("terraform_data.missing"),
  taint("data.acme_notes.all"),
  taint("module.net.terraform_data.sub"),
  taint("module.net"),
  untaint("terraform_data.tainted"),
  untaint("terraform_data.one"),
  untaint("terraform_data.missing"),
  untaint("terraform_data.replaced"),
  replace("acme/notebook", "other/notebook"),
  replace("registry.opentofu.org/acme/notebook", "registry.example.com/acme/notebook"),
  replace("acme/missing", "other/notebook"),
  replace("a b", "c/d/e/f"),
];

function errorsOf(log: string): readonly string[] {
  const lines = log.split("\n").filter((line) => line.startsWith("{"));
  return lines.flatMap((line) => {
    const { diagnostic } = JSON.parse(line) as {
      readonly diagnostic?: { readonly severity: string; readonly summary: string; readonly detail?: string };
    };
    return diagnostic?.severity === "error" ? [`${diagnostic.summary}: ${diagnostic.detail ?? ""}`] : [];
  });
}

describe("refresh", () => {
  test("stores changed outputs and creates no object", async ({ expect }) => {
    const state = memoryState();
    const open = (value: string): Workspace => {
      const files = objectFiles({ "main.tf": `output "o" {\n  value = "${value}"\n}\nresource "terraform_data" "a" {}\n` });
      return openWorkspace({ configuration: files, providers: {}, state });
    };
    const { outputs, errored } = await open("x").refresh();
    expect([outputs.get("o")?.value.payload, errored]).toEqual(["x", false]);
    await open("y").refresh();
    const stored = await open("y").state();
    expect([stored.outputs.get("o")?.value.payload, stored.resources.size]).toEqual(["y", 0]);
    expect((await open("${local.missing}").refresh()).errored).toBe(true);
  });
});

describePeer(["tofu"], "operations on a stored state", (peers) => {
  function open(folder: string): Workspace {
    return openWorkspace({ configuration: objectFiles({}), providers: {}, state: localState({ path: join(folder, "terraform.tfstate") }) });
  }

  async function withFolders(body: (theirs: CliWorkspace, ours: string) => Promise<void>): Promise<void> {
    using cli = new CliWorkspace(peers.tofu.path, { kind: "filesystemMirror", folder: tmpdir() });
    const folder = mkdtempSync(join(tmpdir(), "tenon-state-"));
    try {
      await body(cli, folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  test("leave the same state and report the same errors as tofu", async ({ expect }) => {
    await withFolders(async (cli, folder) => {
      const [theirPath, ourPath] = [join(cli.folder, "terraform.tfstate"), join(folder, "terraform.tfstate")];
      for (const { command, run } of operations) {
        writeFileSync(theirPath, start);
        writeFileSync(ourPath, start);
        const { stdout } = await cli.run(command);
        const { diagnostics } = await run(open(folder));
        const errors = diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`);
        expect(errors, command.join(" ")).toEqual(errorsOf(stdout));
        expect(readFileSync(ourPath, "utf8"), command.join(" ")).toBe(readFileSync(theirPath, "utf8"));
      }
    });
  });

  test("list the instances that tofu lists", async ({ expect }) => {
    await withFolders(async (cli, folder) => {
      writeFileSync(join(cli.folder, "terraform.tfstate"), start);
      writeFileSync(join(folder, "terraform.tfstate"), start);
      for (const addresses of [
        [],
        ["module.net"],
        ["terraform_data.many"],
        ["terraform_data.many[1]", "module.each"],
        ["module.none"],
        ["terraform_data.none"],
        ["terraform_data.many[7]"],
      ]) {
        for (const id of [undefined, "m1"]) {
          const { stdout, stderr } = await cli.run([
            "state",
            "list",
            "-no-color",
            ...(id === undefined ? [] : [`-id=${id}`]),
            ...addresses,
          ]);
          const { instances, diagnostics } = await open(folder)
            .stored()
            .list({ addresses, ...(id !== undefined && { id }) });
          expect(instances.map(formatResourceInstance), addresses.join(" ")).toEqual(stdout.split("\n").filter((line) => line !== ""));
          for (const { summary } of diagnostics) expect(stderr).toContain(summary);
        }
      }
    });
  });

  test("push only newer states of the same lineage, as tofu does", async ({ expect }) => {
    const changed = (change: (state: Record<string, unknown>) => void): string => {
      const state = JSON.parse(start) as Record<string, unknown>;
      change(state);
      return `${JSON.stringify(state, undefined, 2)}\n`;
    };
    const pushed = [
      start,
      changed((state) => (state["serial"] = 8)),
      changed((state) => (state["serial"] = 6)),
      changed((state) => (state["resources"] = [])),
      changed((state) => (state["lineage"] = "3f1b7f2e-0000-4000-8000-000000000002")),
      changed((state) => (state["lineage"] = "")),
      "{}",
    ];
    await withFolders(async (cli, folder) => {
      for (const source of pushed) {
        for (const force of [false, true]) {
          writeFileSync(join(cli.folder, "terraform.tfstate"), start);
          writeFileSync(join(folder, "terraform.tfstate"), start);
          cli.write({ "pushed.json": source });
          const { stdout } = await cli.run(["state", "push", "-json", ...(force ? ["-force"] : []), "pushed.json"]);
          const diagnostics = await open(folder).stored().push(source, { force });
          expect(diagnostics.length > 0, source).toBe(errorsOf(stdout).length > 0);
          if (source !== "{}") expect(diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`)).toEqual(errorsOf(stdout));
          // OpenTofu's local backend increases the serial of a pushed state: see `pushed-serials` in docs/differences.md.
          const [ours, theirs] = [folder, cli.folder].map((at) =>
            readFileSync(join(at, "terraform.tfstate"), "utf8").replace(/"serial": \d+/, ""),
          );
          expect(ours, source).toBe(theirs);
        }
      }
      expect(await open(folder).stored().pull()).toBe(readFileSync(join(folder, "terraform.tfstate"), "utf8"));
    });
  });

  test("create and delete workspaces that tofu uses", async ({ expect }) => {
    await withFolders(async (cli) => {
      writeFileSync(join(cli.folder, "terraform.tfstate"), start);
      const stored = open(cli.folder).stored();
      expect(await stored.createWorkspace("staging")).toEqual([]);
      expect(await stored.createWorkspace("staging")).not.toEqual([]);
      expect(await stored.createWorkspace("a b")).not.toEqual([]);
      expect(await stored.workspaces()).toEqual(["default", "staging"]);
      expect(await cli.must(["workspace", "list", "-no-color"])).toContain("staging");
      expect(await stored.deleteWorkspace("default", { force: true })).not.toEqual([]);
      expect(await stored.deleteWorkspace("missing")).not.toEqual([]);
      expect(await stored.deleteWorkspace("staging")).toEqual([]);
      expect(await cli.must(["workspace", "list", "-no-color"])).not.toContain("staging");
    });
  });
});
