// SPDX-License-Identifier: Apache-2.0
// A folder with a configuration that tofu runs, and the steps by which tofu and a store of ours share a state.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { openWorkspace } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { StateDraft, StateManager } from "@tenon/engine/state";
import { createLockInfo, defaultWorkspace, type StateStore, type WorkspaceStore } from "@tenon/engine/state/stores";
import type { ExpectStatic } from "vitest";

const configuration = `
resource "terraform_data" "a" {
  for_each = toset(["10", "2"])
  input    = { "10" = "<&>", "2" = each.key }
}
output "o" { value = "x" }
`;

/** The result of a run of tofu. */
export interface TofuRun {
  readonly code: number | null;
  /** What the run printed, on both streams. */
  readonly output: string;
}

/** A folder with a configuration of two resources, for tofu without settings of this machine. */
export class TofuFolder implements Disposable {
  readonly path: string = mkdtempSync(join(tmpdir(), "tenon-stores-"));
  readonly #tofu: string;
  readonly #variables: Readonly<Record<string, string>>;

  /** @param backend The `terraform` block with the backend; empty for the local one. */
  constructor(tofu: string, backend: string, variables: Readonly<Record<string, string>> = {}) {
    this.#tofu = tofu;
    this.#variables = variables;
    writeFileSync(join(this.path, "cli.tfrc"), "");
    writeFileSync(join(this.path, "main.tf"), configuration + backend);
  }

  spawn(...args: readonly string[]): ReturnType<typeof spawn> {
    const kept = Object.entries(process.env).filter(([name]) => !/^(TF_|AWS_|PG)/.test(name));
    const own = { HOME: this.path, TF_CLI_CONFIG_FILE: join(this.path, "cli.tfrc"), CHECKPOINT_DISABLE: "1" };
    const env = { ...Object.fromEntries(kept), ...own, ...this.#variables };
    return spawn(this.#tofu, [...args, "-no-color"], { cwd: this.path, env });
  }

  async run(...args: readonly string[]): Promise<TofuRun> {
    const child = this.spawn(...args);
    child.stdin?.end();
    const [output, errors] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, "close")]);
    return { code: child.exitCode, output: output + errors };
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Facts in which stores differ. */
export interface LockFacts {
  /** Whether the store tells who holds the lock. Default: true. */
  readonly describesHolder?: boolean;
}

/** Writes, applies and locks alternately with the store and with tofu. */
export async function shareWithTofu(folder: TofuFolder, store: StateStore, expect: ExpectStatic, facts: LockFacts = {}): Promise<void> {
  const initialised = await folder.run("init");
  expect(initialised.code, initialised.output).toBe(0);
  const created = await folder.run("apply", "-auto-approve");
  expect(created.code, created.output).toBe(0);
  const workspace = store.workspace(defaultWorkspace);
  const manager = await StateManager.open(workspace, store.layout);
  expect([...manager.file.state.resources.keys()]).toEqual(["terraform_data.a"]);
  const { serial } = manager.file;

  const draft = new StateDraft(manager.file.state);
  draft.setOutput("o", undefined);
  await manager.save(draft.snapshot());
  expect((await folder.run("output")).output).toContain("No outputs found");
  expect((await folder.run("apply", "-auto-approve")).output).toContain("0 added, 0 changed, 0 destroyed");
  const after = await StateManager.open(workspace, store.layout);
  expect(after.file).toMatchObject({ lineage: manager.file.lineage, serial: serial + 2 });
  expect((await folder.run("plan", "-detailed-exitcode")).code).toBe(0);
  await excludeEachOther(folder, workspace, expect, facts);
}

/** Takes the lock with the store while tofu plans, and with tofu while the store locks. */
export async function excludeEachOther(
  folder: TofuFolder,
  workspace: WorkspaceStore,
  expect: ExpectStatic,
  { describesHolder = true }: LockFacts = {},
): Promise<void> {
  const ours = await workspace.lock(createLockInfo("OperationTypeApply"));
  const refused = await folder.run("plan", "-lock-timeout=0s");
  expect(refused.code).toBe(1);
  expect(refused.output).toContain("Error acquiring the state lock");
  if (describesHolder) expect(refused.output).toContain(ours.info.ID);
  await ours.unlock();
  expect((await folder.run("plan", "-lock-timeout=0s")).code).toBe(0);

  const child = folder.spawn("apply", '-replace=terraform_data.a["2"]');
  const ended = once(child, "close");
  const { promise: isAsked, resolve, reject } = Promise.withResolvers<void>();
  let output = "";
  child.stdout!.on("data", (chunk) => (output += String(chunk)).includes("Enter a value") && resolve());
  void ended.then(() => reject(new Error(`tofu ended before it asked: ${output}`)));
  await isAsked;
  const theirs = await workspace.lock(createLockInfo("OperationTypePlan")).catch((error: unknown) => error);
  expect(theirs).toMatchObject({ code: "STATE_LOCKED", ...(describesHolder && { lock: { Operation: "OperationTypeApply" } }) });
  child.stdin!.end("no\n");
  await ended;
  await (await workspace.lock(createLockInfo("OperationTypePlan"))).unlock();
}

/**
 * Plans the configuration of the folder with the store of its `backend` block, applies a change to it, and reads the output through
 * `terraform_remote_state`.
 *
 * @param remote The arguments `backend` and `config` of the data source.
 */
export async function useBackendBlock(folder: TofuFolder, remote: string, expect: ExpectStatic): Promise<void> {
  const workspace = openWorkspace({ configuration: folder.path, providers: {}, environmentVariables: {} });
  const plan = await workspace.plan({ replace: ['terraform_data.a["2"]'] });
  expect(plan.diagnostics).toEqual([]);
  const refused = await folder.run("plan", "-lock-timeout=0s");
  expect(refused.output).toContain("Error acquiring the state lock");
  const applied = await plan.apply();
  expect(applied.errored).toBe(false);
  const planned = await folder.run("plan", "-detailed-exitcode");
  expect(planned.code, planned.output).toBe(0);
  const reader = `data "terraform_remote_state" "r" {\n${remote}\n}\noutput "r" {\n  value = data.terraform_remote_state.r.outputs.o\n}\n`;
  const options = { configuration: objectFiles({ "main.tf": reader }), providers: {}, environmentVariables: {} };
  const reading = await openWorkspace(options).plan();
  expect(reading.diagnostics).toEqual([]);
  const { outputs } = await reading.apply();
  expect(outputs.get("r")?.value.payload).toBe("x");
}
