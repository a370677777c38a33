// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { get, of, toJs } from "@tenon/cty";
import { Notebook } from "@tenon/example-notebook/store";
import { launchProvider, type LaunchedProvider } from "@tenon/plugin-host";
import { emptyValue, hasErrors, impliedType, type Diagnostic } from "@tenon/schema";
import { dataSourceType, readDataSource } from "@tenon/schema/lifecycle";
import { addressOf, Estate, Refused, type ResourcePlan, type WantedResource } from "./estate.ts";
import { changesText, diagnosticText, summaryOf } from "./plan-text.ts";
import { milliseconds, styled, type Screen } from "./screen.ts";
import { note, stages } from "./wanted.ts";

/** The example provider as it stands in the repository, run by the Node that runs this. */
export const notebookCommand: readonly [string, string] = [process.execPath, join(import.meta.dirname, "..", "notebook", "src", "main.ts")];

const providerAddress = "example.com/tenon/notebook";

/** Takes the notebook provider through everything that can happen to a resource, printing as it goes. */
export async function liveNotebook(screen: Screen): Promise<void> {
  const start = performance.now();
  const folder = mkdtempSync(join(tmpdir(), "tenon-notebook-"));
  const path = join(folder, "notes.db");
  screen.line(`${styled("bold", "Tenon")}: the life of two resources, through a provider written in TypeScript`);
  screen.line(`Notes and pages are kept in ${path}`);

  screen.step("Launch", "a process of its own, handshake, AutoMTLS");
  await using provider = await screen.during(
    "starting the provider",
    () => launchProvider({ command: notebookCommand, name: "notebook" }),
    ({ protocolVersion, pid, startup }) =>
      `protocol ${protocolVersion}, process ${pid}, handshake after ${milliseconds(startup.handshakeMs)}`,
  );

  screen.step("Schema", "what the provider offers");
  const schema = await provider.getProviderSchema({});
  for (const [kind, names] of [
    ["resources", schema.resources.keys()],
    ["data sources", schema.dataSources.keys()],
    ["functions", schema.functions.keys()],
  ] as const) {
    screen.block(`${kind}: ${[...names].join(", ")}`);
  }

  screen.step("Validate", "a configuration with mistakes is refused before anything is done");
  const estate = new Estate(provider, providerAddress);
  await refused(screen, estate, note("bread", { title: "x".repeat(81) }));

  screen.step("Configure", "the provider opens its file");
  await configure(provider, path, 250);
  screen.block(`path = ${JSON.stringify(path)}, 250 ms before each write`);

  screen.step("Plan and apply", "a note, and a page that refers to it");
  await planAndApply(screen, estate, stages["created"]);

  screen.step("Read", "what is there is what was made; a second plan is empty");
  await refresh(screen, estate);
  await planAndApply(screen, estate, stages["created"]);
  await query(screen, provider);

  screen.step("Change in place", "only what differs is shown");
  await planAndApply(screen, estate, stages["changedInPlace"]);

  screen.step("Change that forces replacement", "a note cannot move to another folder, and its page goes with it");
  await planAndApply(screen, estate, stages["replaced"]);

  screen.step("Import", "a note that somebody else wrote is taken over as it is");
  const found = note("found", { title: "Shopping list", folder: "inbox", tags: { who: "somebody else" } });
  const id = await elsewhere(path, (notebook) =>
    notebook.createNote({ title: "Shopping list", folder: "inbox", body: null, tags: { who: "somebody else" }, passphrase: null }),
  ).then((made) => made.id);
  await estate.import("notebook_note", "found", id);
  screen.block(`${styled("green", "✓")} notebook_note.found is note ${id}`);
  await planAndApply(screen, estate, [...stages["replaced"], found]);

  screen.step("Drift", "somebody scribbles in the file; a read sees it, the next apply repairs it");
  await elsewhere(path, (notebook) =>
    notebook.changeNote(id, { title: "Scribbled over", folder: "inbox", body: null, tags: null, passphrase: null }),
  );
  await refresh(screen, estate);
  await planAndApply(screen, estate, [...stages["replaced"], found]);

  screen.step("Destroy", "everything goes, last made first");
  await planAndApply(screen, estate, []);

  screen.line(
    `\n${styled(["bold", "green"], "Done")}: ${screen.steps} steps in ${milliseconds(performance.now() - start)}; provider handshake ` +
      `${milliseconds(provider.startup.handshakeMs)}, connected ${milliseconds(provider.startup.connectedMs)}.`,
  );
  // Everything in it has been destroyed; after an error it stays, to be looked at.
  rmSync(folder, { recursive: true });
  screen.line(styled("dim", "npm start -- <provider> launches any other provider and shows what it offers."));
}

/** Has the provider check its configuration and take it. */
export async function configure(provider: LaunchedProvider, path: string, latencyMs: number): Promise<void> {
  const block = (await provider.getProviderSchema({})).provider?.block;
  if (block === undefined) throw new Error("the provider takes no configuration");
  const config = of(impliedType(block), { path, latency_ms: latencyMs });
  for (const { diagnostics } of [
    await provider.validateProviderConfig({ config }),
    await provider.configureProvider({ config, terraformVersion: "1.12.6" }),
  ]) {
    if (hasErrors(diagnostics)) throw new Refused("provider", diagnostics);
  }
}

async function refused(screen: Screen, estate: Estate, wanted: WantedResource): Promise<void> {
  try {
    await estate.plan([wanted]);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    screen.block(error.diagnostics.map((diagnostic: Diagnostic) => diagnosticText(addressOf(wanted), diagnostic)).join("\n"));
    return;
  }
  throw new Error(`${addressOf(wanted)} should have been refused`);
}

async function planAndApply(screen: Screen, estate: Estate, wanted: readonly WantedResource[]): Promise<readonly ResourcePlan[]> {
  const plans = await estate.plan(wanted);
  screen.block(changesText(plans));
  await estate.apply(plans, (address, action, work) =>
    screen.during(`${address}: ${doing[action]}`, work, () => `${address}: ${done[action]}`),
  );
  screen.block(styled("bold", summaryOf(plans)));
  return plans;
}

const doing = { create: "creating", update: "updating", delete: "destroying" } as const;
const done = { create: "created", update: "updated", delete: "destroyed" } as const;

async function refresh(screen: Screen, estate: Estate): Promise<void> {
  for (const [address, { object, drift }] of await estate.refresh()) {
    const text =
      object === undefined
        ? "is gone"
        : drift.length === 0
          ? "as recorded"
          : `changed outside: ${drift.length} difference${drift.length === 1 ? "" : "s"}`;
    screen.block(`${address} ${drift.length === 0 && object !== undefined ? styled("dim", text) : styled("yellow", text)}`);
  }
}

async function query(screen: Screen, provider: LaunchedProvider): Promise<void> {
  const search = await dataSourceType(provider, "notebook_search", { providerAddress });
  const unwritten = toJs(emptyValue(search.schema.block)) as Readonly<Record<string, unknown>>;
  const { value, diagnostics } = await readDataSource(search, of(impliedType(search.schema.block), { ...unwritten, text: "bread" }));
  if (value === undefined) throw new Refused("data.notebook_search", diagnostics);
  const notes = toJs(get(value, "notes")) as readonly { readonly id: string; readonly title: string }[];
  screen.block(`data.notebook_search finds ${notes.map(({ id, title }) => `note ${id}, ${JSON.stringify(title)}`).join("; ")}`);
}

/** Works on the file directly, as somebody else would. */
async function elsewhere<T>(path: string, work: (notebook: Notebook) => Promise<T>): Promise<T> {
  const notebook = new Notebook(path);
  try {
    return await work(notebook);
  } finally {
    notebook.close();
  }
}
