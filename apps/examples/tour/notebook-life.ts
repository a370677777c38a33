// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { get, of, toJs } from "@tenon/cty";
import { Notebook } from "@tenon/example-notebook/store";
import { launchProvider, type LaunchedProvider } from "@tenon/plugin-host";
import { emptyValue, hasErrors, impliedType, type Diagnostic } from "@tenon/schema";
import { dataSourceType, readDataSource } from "@tenon/schema/lifecycle";
import { addressOf, ManagedResources, ResourceError, type ResourcePlan, type ConfiguredResource } from "./managed-resources.ts";
import { changesText, diagnosticText, summaryOf } from "./plan-text.ts";
import { milliseconds, styled, type Screen } from "./screen.ts";
import { note, stages } from "./stages.ts";
import { runWholeConfiguration } from "./whole-configuration.ts";

/** The example provider's sources, run by the current Node. */
export const notebookCommand: readonly [string, string] = [process.execPath, join(import.meta.dirname, "..", "notebook", "src", "main.ts")];

const providerAddress = "example.com/tenon/notebook";

/** Runs the notebook provider through every step of a resource's lifecycle, and prints each step. */
export async function runNotebook(screen: Screen): Promise<void> {
  const start = performance.now();
  const folder = mkdtempSync(join(tmpdir(), "tenon-notebook-"));
  const path = join(folder, "notes.db");
  screen.line(`${styled("bold", "Tenon")}: the lifecycle of two resources of a provider written in TypeScript`);
  screen.line(`Notes and pages are stored in ${path}`);

  screen.step("Launch", "a separate process, handshake, AutoMTLS");
  await using provider = await screen.during(
    "starting the provider",
    () => launchProvider({ command: notebookCommand, name: "notebook" }),
    ({ protocolVersion, pid, startup }) =>
      `protocol ${protocolVersion}, process ${pid}, handshake after ${milliseconds(startup.handshakeMs)}`,
  );

  screen.step("Schema", "the components of the provider");
  const schema = await provider.getProviderSchema({});
  for (const [kind, names] of [
    ["resources", schema.resources.keys()],
    ["data sources", schema.dataSources.keys()],
    ["functions", schema.functions.keys()],
  ] as const) {
    screen.block(`${kind}: ${[...names].join(", ")}`);
  }

  screen.step("Validate", "an invalid configuration is rejected before anything is changed");
  const managed = new ManagedResources(provider, providerAddress);
  await expectRejected(screen, managed, note("bread", { title: "x".repeat(81) }));

  screen.step("Configure", "the provider opens its file");
  await configure(provider, path, 250);
  screen.block(`path = ${JSON.stringify(path)}, 250 ms before each write`);

  screen.step("Plan and apply", "a note, and a page that refers to it");
  await planAndApply(screen, managed, stages["created"]);

  screen.step("Read", "the objects are as created; a second plan is empty");
  await refresh(screen, managed);
  await planAndApply(screen, managed, stages["created"]);
  await query(screen, provider);

  screen.step("Update", "the plan shows only the differences");
  await planAndApply(screen, managed, stages["changedInPlace"]);

  screen.step("Replace", "a note cannot move to another folder; its page is replaced too");
  await planAndApply(screen, managed, stages["replaced"]);

  screen.step("Import", "manages an existing note, without a change");
  const found = note("found", { title: "Shopping list", folder: "inbox", tags: { who: "somebody else" } });
  const id = await elsewhere(path, (notebook) =>
    notebook.createNote({ title: "Shopping list", folder: "inbox", body: null, tags: { who: "somebody else" }, passphrase: null }),
  ).then((made) => made.id);
  await managed.import("notebook_note", "found", id);
  screen.block(`${styled("green", "✓")} notebook_note.found is note ${id}`);
  await planAndApply(screen, managed, [...stages["replaced"], found]);

  screen.step("Drift", "another program changes the file; a read detects it, and the next apply reverts it");
  await elsewhere(path, (notebook) =>
    notebook.changeNote(id, { title: "Changed elsewhere", folder: "inbox", body: null, tags: null, passphrase: null }),
  );
  await refresh(screen, managed);
  await planAndApply(screen, managed, [...stages["replaced"], found]);

  screen.step("Destroy", "all objects, in reverse order of creation");
  await planAndApply(screen, managed, []);

  screen.step("Whole configuration", "two modules in HCL, planned and applied in this process without a command-line program");
  await runWholeConfiguration(screen, folder);

  screen.line(
    `\n${styled(["bold", "green"], "Done")}: ${screen.steps} steps in ${milliseconds(performance.now() - start)}; provider handshake ` +
      `${milliseconds(provider.startup.handshakeMs)}, connected ${milliseconds(provider.startup.connectedMs)}.`,
  );
  // All resources are destroyed by now. After an error the file stays, for inspection.
  rmSync(folder, { recursive: true });
  screen.line(styled("dim", "npm start -- <provider> launches any other provider and prints its schema."));
}

/** Validates the provider's configuration and configures the provider. */
export async function configure(provider: LaunchedProvider, path: string, latencyMs: number): Promise<void> {
  const block = (await provider.getProviderSchema({})).provider?.block;
  if (block === undefined) throw new Error("the provider takes no configuration");
  const config = of(impliedType(block), { path, latency_ms: latencyMs });
  for (const { diagnostics } of [
    await provider.validateProviderConfig({ config }),
    await provider.configureProvider({ config, terraformVersion: "1.12.6" }),
  ]) {
    if (hasErrors(diagnostics)) throw new ResourceError("provider", diagnostics);
  }
}

async function expectRejected(screen: Screen, managed: ManagedResources, configured: ConfiguredResource): Promise<void> {
  try {
    await managed.plan([configured]);
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    screen.block(error.diagnostics.map((diagnostic: Diagnostic) => diagnosticText(addressOf(configured), diagnostic)).join("\n"));
    return;
  }
  throw new Error(`${addressOf(configured)} should have been rejected`);
}

async function planAndApply(
  screen: Screen,
  managed: ManagedResources,
  configured: readonly ConfiguredResource[],
): Promise<readonly ResourcePlan[]> {
  const plans = await managed.plan(configured);
  screen.block(changesText(plans));
  await managed.apply(plans, (address, action, work) =>
    screen.during(`${address}: ${doing[action]}`, work, () => `${address}: ${done[action]}`),
  );
  screen.block(styled("bold", summaryOf(plans)));
  return plans;
}

const doing = { create: "creating", update: "updating", delete: "destroying" } as const;
const done = { create: "created", update: "updated", delete: "destroyed" } as const;

async function refresh(screen: Screen, managed: ManagedResources): Promise<void> {
  for (const [address, { object, drift }] of await managed.refresh()) {
    const text =
      object === undefined
        ? "no longer exists"
        : drift.length === 0
          ? "unchanged"
          : `changed outside: ${drift.length} difference${drift.length === 1 ? "" : "s"}`;
    screen.block(`${address} ${drift.length === 0 && object !== undefined ? styled("dim", text) : styled("yellow", text)}`);
  }
}

async function query(screen: Screen, provider: LaunchedProvider): Promise<void> {
  const search = await dataSourceType(provider, "notebook_search", { providerAddress });
  const unwritten = toJs(emptyValue(search.schema.block)) as Readonly<Record<string, unknown>>;
  const { value, diagnostics } = await readDataSource(search, of(impliedType(search.schema.block), { ...unwritten, text: "bread" }));
  if (value === undefined) throw new ResourceError("data.notebook_search", diagnostics);
  const notes = toJs(get(value, "notes")) as readonly { readonly id: string; readonly title: string }[];
  screen.block(`data.notebook_search finds ${notes.map(({ id, title }) => `note ${id}, ${JSON.stringify(title)}`).join("; ")}`);
}

/** Changes the file directly, as another program would. */
async function elsewhere<T>(path: string, work: (notebook: Notebook) => Promise<T>): Promise<T> {
  const notebook = new Notebook(path);
  try {
    return await work(notebook);
  } finally {
    notebook.close();
  }
}
