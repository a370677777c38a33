// SPDX-License-Identifier: Apache-2.0
// The default journal of stores on other machines: a process is killed during an apply whose state is in a real store, and the next one finds what
// the store does not have.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openWorkspace } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { postgresState, s3State, type StateStore } from "@tenon/engine/state/stores";
import { describePeer } from "@tenon/peers/vitest";
import { onTestFinished, test, type ExpectStatic } from "vitest";
import { chain, namesIn, open, Service } from "./engine-service.ts";
import { describePostgres, PostgresServer } from "./postgres-server.ts";
import { S3Server, s3Keys, s3Region } from "./s3-server.ts";
import { ApplyProcess } from "./soak/apply-process.ts";
import type { Answer, Request } from "./soak/killed-apply.ts";

const program = join(import.meta.dirname, "soak/killed-apply.ts");
const providers = 'terraform {\n  required_providers {\n    disk = { source = "tenon/disk" }\n  }\n}\n';
const node = (name: string, value: string): string => `resource "disk_named" "${name}" {\n  name  = "${name}"\n  value = ${value}\n}\n`;
const configuration =
  providers + node("a", '"the value"') + node("b", "disk_named.a.id") + node("c", "disk_named.b.id") + node("d", "disk_named.c.id");

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tenon-remote-journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Runs one request in a process of its own. Returns whether the process was killed, and its answers. */
async function inProcess(request: Request): Promise<{ readonly killed: boolean; readonly answers: readonly Answer[] }> {
  const child = new ApplyProcess([process.execPath, program]);
  const answers = await child.run(request);
  const killed = !child.isAlive;
  await child.close();
  return { killed, answers };
}

/** The journals below a folder for the state of programs. */
function journalsIn(stateHome: string): readonly string[] {
  return readdirSync(stateHome, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".journal"));
}

/** Kills an apply in its fourth change, and goes on: with another user folder, as on another machine, and then with that of the apply. */
async function expectRecovery(store: NonNullable<Request["store"]>, openStore: () => StateStore, expect: ExpectStatic): Promise<void> {
  const [folder, stateHome] = [newFolder(), newFolder()];
  const none = { kind: "none", count: 0 } as const;
  const request: Request = {
    folder,
    stateHome,
    store,
    configuration,
    mode: "normal",
    applies: true,
    kill: { kind: "afterChange", count: 3 },
  };
  expect((await inProcess(request)).killed).toBe(true);
  expect(readdirSync(join(folder, "objects")).toSorted()).toEqual(["a.json", "b.json", "c.json", "d.json"]);

  const [journal, ...others] = journalsIn(stateHome);
  expect(others).toEqual([]);
  expect(journal).toMatch(/^tenon\/journals\/[0-9a-f]{32}\/default\.journal$/);
  expect(readFileSync(join(stateHome, journal!), "utf8")).toContain("the value");
  expect(statSync(join(stateHome, journal!)).mode & 0o777).toBe(0o600);
  for (let path = dirname(journal!); path !== "."; path = dirname(path)) expect(statSync(join(stateHome, path)).mode & 0o777).toBe(0o700);

  const state = openStore();
  await using workspace = openWorkspace({ configuration: objectFiles({}), state, providers: {}, journal: false });
  onTestFinished(() => state.close?.());
  // The first change is stored at once, and perhaps others; the journal has the rest.
  const stored = namesIn(await workspace.state());
  expect(stored).toEqual(["a", "b", "c"].slice(0, stored.length));
  // Some stores keep the lock of a process that was killed.
  const refusal: unknown = await workspace.plan().then(
    (plan) => plan.close(),
    (error: unknown) => error,
  );
  if (refusal !== undefined) {
    expect(refusal).toMatchObject({ code: "STATE_LOCKED", lock: { ID: expect.any(String) } });
    await workspace.stored().forceUnlock((refusal as { readonly lock: { readonly ID: string } }).lock.ID);
  }

  const elsewhere = await inProcess({ ...request, stateHome: newFolder(), applies: false, kill: none });
  expect(elsewhere.answers).toMatchObject([{ phase: "planned", errors: [], recovered: 0, interrupted: [] }]);
  const here = await inProcess({ ...request, applies: false, kill: none });
  expect(here.answers).toMatchObject([
    { errors: [], recovered: 3 - stored.length, interrupted: [{ address: "disk_named.d", action: "create", name: "d" }] },
  ]);
  expect(namesIn(await workspace.state())).toEqual(["a", "b", "c"]);

  const imported = `${configuration}import {\n  to = disk_named.d\n  id = "d"\n}\n`;
  const last = await inProcess({ ...request, configuration: imported, kill: none });
  expect(last.answers).toMatchObject([{ errors: [] }, { phase: "applied", errors: [] }]);
  expect(namesIn(await workspace.state())).toEqual(["a", "b", "c", "d"]);
  expect(journalsIn(stateHome)).toEqual([]);
}

describePostgres("the default journal of a PostgreSQL store", (programs) => {
  test("has what a killed apply did not store, until the next apply", { timeout: 240_000 }, async ({ expect }) => {
    await using server = await PostgresServer.start(programs);
    const postgres = { connectionString: server.connectionString, variables: {} };
    await expectRecovery({ postgres }, () => postgresState(postgres), expect);
  });

  test("is not written if the caller forbids it", { timeout: 120_000 }, async ({ expect }) => {
    await using server = await PostgresServer.start(programs);
    const state = postgresState({ connectionString: server.connectionString, variables: {} });
    const stateHome = newFolder();
    const service = new Service();
    const written: string[] = [];
    service.before = () => void written.push(...journalsIn(stateHome));
    const options = { environmentVariables: { XDG_STATE_HOME: stateHome } };
    await (await open(service, chain("a"), state, { ...options, journal: false }).plan()).apply();
    expect(written).toEqual([]);
    await (await open(service, chain("a", "b"), state, options).plan()).apply();
    expect(written).toHaveLength(1);
    await state.close!();
  });
});

describePeer(["versitygw"], "the default journal of an s3 store", ({ versitygw }) => {
  test("has what a killed apply did not store, until the next apply", { timeout: 240_000 }, async ({ expect }) => {
    await using server = await S3Server.start(versitygw.path, ["states"]);
    const endpoints = { s3: server.url };
    const place = { bucket: "states", key: "journal/state.json", region: s3Region, usePathStyle: true, useLockfile: true, variables: {} };
    const s3 = { ...place, credentials: s3Keys, endpoints };
    await expectRecovery({ s3 }, () => s3State(s3), expect);
  });
});
