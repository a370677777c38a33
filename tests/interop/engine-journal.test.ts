// SPDX-License-Identifier: Apache-2.0
// The journal of an apply: its content for the next run after the store, the provider or the caller ended the apply.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWorkspace, type EngineEvent } from "@tenon/engine";
import { formatResourceInstanceObject } from "@tenon/engine/address";
import { objectFiles } from "@tenon/engine/configuration";
import { localState, memoryState } from "@tenon/engine/state/stores";
import { describe, onTestFinished, test } from "vitest";
import { ApplyProcess } from "./soak/apply-process.ts";
import { bundleApplyProgram } from "./soak/engine-kills-run.ts";
import type { Request } from "./soak/killed-apply.ts";
import { chain, expectContinues, failingStore, namesIn, open, Service } from "./engine-service.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tenon-journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The events about an interrupted apply, as text. */
function recoveryOf(events: readonly EngineEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.type === "changeRecovered") return [`${event.kind} ${formatResourceInstanceObject(event.address)}`];
    if (event.type === "changeInterrupted") return [`${event.change.action}? ${formatResourceInstanceObject(event.change.address)}`];
    return [];
  });
}

const secretNode = 'resource "mem_node" "s" {\n  name   = "s"\n  value  = "plain"\n  secret = "hunter2"\n}\n';

describe("the journal of an apply", () => {
  test("is a file beside a local state, which only its owner can read, until the apply has ended", async ({ expect }) => {
    const path = join(newFolder(), "state", "terraform.tfstate");
    const service = new Service();
    const workspace = open(service, chain("a", "b") + secretNode, localState({ path }));
    const modes: number[] = [];
    service.before = () => {
      modes.push(statSync(`${path}.journal`).mode & 0o777);
      expect(readFileSync(`${path}.journal`, "utf8").includes('"sensitive":["secret"]')).toBe(true);
    };
    expect((await (await workspace.plan()).apply()).errored).toBe(false);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    expect(existsSync(`${path}.journal`)).toBe(false);
    await expectContinues(service, workspace, ["a", "b", "s"]);
  });

  test("is not written if the caller forbids it, and not for a store in memory", async ({ expect }) => {
    const folder = newFolder();
    const service = new Service();
    service.before = () => expect(readdirSync(folder).filter((name) => name.includes("journal"))).toEqual([]);
    const store = localState({ path: join(folder, "terraform.tfstate") });
    for (const workspace of [open(service, chain("a"), store, { journal: false }), open(service, chain("b"), memoryState())]) {
      expect((await (await workspace.plan()).apply()).errored).toBe(false);
    }
  });

  test("keeps the changes that a store failed to store, and the next plan stores them", async ({ expect }) => {
    const journal = newFolder();
    let isBroken = true;
    const store = failingStore(() => (isBroken ? new Error("out of reach") : undefined));
    const service = new Service();
    const workspace = open(service, chain("a", "b") + chain("d"), store, { journal });
    await expect((await workspace.plan()).apply()).rejects.toMatchObject({ code: "STORE_FAILED" });
    const made = [...service.objects.keys()].sort();
    expect(made.length).toBeGreaterThan(0);
    expect(namesIn(await workspace.state())).toEqual([]);
    expect(readdirSync(journal)).toEqual(["default.journal"]);
    isBroken = false;
    const events: EngineEvent[] = [];
    const plan = await workspace.plan({ onEvent: (event) => void events.push(event) });
    await plan.close();
    expect(recoveryOf(events).toSorted()).toEqual(made.map((name) => `created mem_node.${name}`));
    expect(plan.diagnostics.map(({ severity, summary }) => [severity, summary])).toEqual([["warning", "Interrupted apply recovered"]]);
    expect(namesIn(await workspace.state())).toEqual(made);
    expect(readdirSync(journal)).toEqual([]);
    await expectContinues(service, workspace, ["a", "b", "d"]);
  });

  test("keeps a creation without a response, but not its secrets, until an apply ends", async ({ expect }) => {
    const journal = newFolder();
    const service = new Service();
    const workspace = open(service, secretNode, memoryState(), { journal });
    service.crashesAfter = "s";
    expect((await (await workspace.plan()).apply()).errored).toBe(true);
    expect([...service.objects.keys()]).toEqual(["s"]);
    expect(readFileSync(join(journal, "default.journal"), "utf8")).not.toContain("hunter2");
    for (let round = 0; round < 2; round++) {
      const plan = await workspace.plan();
      await plan.close();
      const [warning] = plan.diagnostics;
      expect(warning).toMatchObject({ severity: "warning", summary: "Interrupted change", address: "mem_node.s" });
      expect(warning!.detail).toContain('Planned values:\n  name = "s"\n  value = "plain"\n  secret = (sensitive value)');
    }
    service.crashesAfter = undefined;
    expect((await (await workspace.plan()).apply()).errored).toBe(false);
    expect((await workspace.plan()).diagnostics).toEqual([]);
  });

  test("keeps a destruction and an update without a response", async ({ expect }) => {
    const journal = newFolder();
    const service = new Service();
    const state = memoryState();
    await (await open(service, chain("a", "b"), state, { journal }).plan()).apply();
    const changed = open(service, chain("a").replace('"first"', '"second"'), state, { journal });
    for (const workspace of [open(service, chain("a"), state, { journal }), changed]) {
      service.crashesAfter = workspace === changed ? "a" : "b";
      expect((await (await workspace.plan()).apply()).errored).toBe(true);
    }
    const events: EngineEvent[] = [];
    await (await changed.plan({ onEvent: (event) => void events.push(event) })).close();
    expect(recoveryOf(events)).toEqual(["delete? mem_node.b", "update? mem_node.a"]);
    await expectContinues(service, changed, ["a"]);
  });

  test("keeps a call that was aborted", async ({ expect }) => {
    const journal = newFolder();
    const service = new Service();
    const workspace = open(service, chain("a"), memoryState(), { journal });
    const controller = new AbortController();
    service.before = () => {
      controller.abort(new Error("enough"));
      return new Promise(() => undefined);
    };
    await expect((await workspace.plan({ signal: controller.signal })).apply()).rejects.toThrow();
    const { interrupted, recovered } = await workspace.recover();
    expect(interrupted.map(({ address, action }) => [formatResourceInstanceObject(address), action])).toEqual([["mem_node.a", "create"]]);
    expect(recovered).toEqual([]);
    expect(await workspace.recover()).toEqual({ recovered: [], interrupted: [] });
    await expectContinues(service, workspace, ["a"]);
  });

  test("is an error after another run has stored the state, and can be set aside", async ({ expect }) => {
    const journal = newFolder();
    let isBroken = true;
    const store = failingStore(() => (isBroken ? new Error("out of reach") : undefined));
    const service = new Service();
    const workspace = open(service, chain("a"), store, { journal });
    await expect((await workspace.plan()).apply()).rejects.toMatchObject({ code: "STORE_FAILED" });
    isBroken = false;
    await (await open(service, chain("z"), store, { journal: false }).plan()).apply();
    for (const run of [() => workspace.plan(), () => workspace.recover()]) {
      await expect(run()).rejects.toMatchObject({ code: "JOURNAL_MISMATCH" });
    }
    const { recovered, refused } = await workspace.recover({ setAside: true });
    expect(recovered.map(({ address, kind }) => [formatResourceInstanceObject(address), kind])).toEqual([["mem_node.a", "created"]]);
    expect(refused).toMatchObject({ reason: { code: "JOURNAL_MISMATCH" }, path: join(journal, "default.journal.refused") });
    await (await workspace.plan()).close();
  });

  test("is stored before an operation on the state that follows a kill, which keeps the changes without an answer", async ({ expect }) => {
    const folder = newFolder();
    const node = (name: string, value: string): string => `resource "disk_named" "${name}" {\n  name  = "${name}"\n  value = ${value}\n}\n`;
    const providers = 'terraform {\n  required_providers {\n    disk = { source = "tenon/disk" }\n  }\n}\n';
    const rest = node("b", '"second"') + node("c", "disk_named.b.id");
    const configuration = providers + node("a", '"first"') + rest.replace('"second"', "disk_named.a.id");
    const program = await bundleApplyProgram(newFolder());
    const request: Request = { folder, configuration, mode: "normal", applies: true, kill: { kind: "afterChange", count: 1 } };
    const killed = new ApplyProcess([process.execPath, program]);
    await killed.run(request);
    expect(killed.isAlive).toBe(false);
    expect(readdirSync(join(folder, "objects")).toSorted()).toEqual(["a.json", "b.json"]);

    const state = localState({ path: join(folder, "terraform.tfstate") });
    const stored = openWorkspace({ configuration: objectFiles({}), state, providers: {} }).stored();
    expect((await stored.move("disk_named.missing", "disk_named.other")).diagnostics.map(({ severity }) => severity)).toEqual(["error"]);
    expect((await stored.move("disk_named.a", "disk_named.first")).moved).toHaveLength(1);
    expect(namesIn((await stored.taint("disk_named.first")).state)).toEqual(["first"]);
    expect((await stored.remove("disk_named.first")).removed).toHaveLength(1);

    const next = new ApplyProcess([process.execPath, program]);
    const [planned] = await next.run({ ...request, configuration: providers + rest, applies: false, kill: { kind: "none", count: 0 } });
    await next.close();
    // The finished creation is in the state that the operations changed, and no longer in the journal.
    expect(planned).toMatchObject({ recovered: 0, errors: [], interrupted: [{ address: "disk_named.b", action: "create", name: "b" }] });
  });

  test("that cannot be created ends the apply before the first change", async ({ expect }) => {
    const folder = newFolder();
    symlinkSync(join(folder, "missing"), join(folder, "link"));
    const service = new Service();
    const workspace = open(service, chain("a"), memoryState(), { journal: join(folder, "link") });
    await expect((await workspace.plan()).apply()).rejects.toMatchObject({ code: "STORE_FAILED" });
    expect(service.objects.size).toBe(0);
    await (await workspace.plan()).close();
  });

  test.runIf(process.platform === "linux")(
    "and the state together have all objects that exist when the disk is full",
    { timeout: 300_000 },
    async ({ expect }) => {
      const folder = newFolder();
      const names = Array.from({ length: 40 }, (_, index) => `n${index}`);
      const configuration = [
        'terraform {\n  required_providers {\n    disk = { source = "tenon/disk" }\n  }\n}\n',
        ...names.map((name) => `resource "disk_named" "${name}" {\n  name  = "${name}"\n  value = "${"x".repeat(100)}"\n}\n`),
      ].join("");
      const request: Request = { folder, configuration, mode: "normal", applies: true, kill: { kind: "none", count: 0 } };
      const program = await bundleApplyProgram(newFolder());
      // A limit of the size of files simulates a full disk. The journal reaches it after some changes.
      const limited = new ApplyProcess(["sh", "-c", 'ulimit -f 24; exec "$@"', "sh", process.execPath, program]);
      const applied = await limited.run(request);
      await limited.close();
      expect(applied.at(-1)?.errors.join()).toMatch(/file too large/);
      const made = readdirSync(join(folder, "objects")).map((name) => name.replace(".json", ""));
      expect(made.length).toBeGreaterThan(0);
      expect(made.length).toBeLessThan(names.length);
      const free = new ApplyProcess([process.execPath, program]);
      const [planned] = await free.run({ ...request, applies: false });
      const reported = planned!.interrupted.map(({ name }) => name);
      const state = readFileSync(join(folder, "terraform.tfstate"), "utf8");
      expect(made.filter((name) => !state.includes(`"id": "${name}"`) && !reported.includes(name))).toEqual([]);
      expect(reported).toEqual([]);
      expect((await free.run(request)).flatMap(({ errors }) => errors)).toEqual([]);
      const [again] = await free.run({ ...request, applies: false });
      expect(again).toMatchObject({ hasChanges: false, errors: [] });
      await free.close();
      expect(readdirSync(join(folder, "objects"))).toHaveLength(names.length);
    },
  );
});
