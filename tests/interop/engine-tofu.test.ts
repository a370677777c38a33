// SPDX-License-Identifier: Apache-2.0
// Compares plans and applies of the engine and of OpenTofu after every step: plan JSON, plan text, UI logs and state files.
// Both save the plan, and apply the saved plan.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { of, string } from "@tenon/cty";
import { objectFiles } from "@tenon/engine/configuration";
import { openWorkspace, type EngineEvent, type Workspace } from "@tenon/engine";
import { renderPlan, uiLog } from "@tenon/engine/documents";
import { localState } from "@tenon/engine/state/stores";
import { describePeer } from "@tenon/peers/vitest";
import { createProvider } from "@tenon/provider-sdk";
import { afterAll, beforeAll, test, type ExpectStatic } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";
import { engineCases, type EngineStep } from "./engine-cases.ts";
import { provider as shelf } from "./fixtures/shelf.ts";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";

const address = "registry.opentofu.org/tenon/shelf";

type Json = Readonly<Record<string, unknown>>;

/** The documents of a step that are compared. */
interface Outcome {
  readonly plan: Json | undefined;
  readonly planText: string | undefined;
  readonly planLog: UiLogText;
  readonly applyLog: UiLogText | undefined;
  readonly state: Json | undefined;
}

describePeer(["tofu"], "the engine and tofu", (peers) => {
  let provider: PackagedProvider;

  beforeAll(() => {
    provider = packageExample("tests/interop/fixtures/shelf-main.ts", "--name", "shelf", "--version", "1.0.0", "--address", address);
  });
  afterAll(() => provider[Symbol.dispose]());

  for (const { name, steps } of engineCases) {
    test(`agree on ${name}`, async ({ expect }) => {
      using workspace = new CliWorkspace(peers.tofu.path, { kind: "devOverrides", source: address, folder: join(provider.folder, "dev") });
      const folder = mkdtempSync(join(tmpdir(), "tenon-engine-"));
      try {
        for (const [index, step] of steps.entries()) {
          step.before?.(join(workspace.folder, "shelf"));
          step.before?.(join(folder, "shelf"));
          const theirs = await tofuStep(workspace, step);
          const ours = await engineStep(folder, step, expect);
          expect(ours, `step ${index}`).toEqual(theirs);
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
});

async function tofuStep(workspace: CliWorkspace, step: EngineStep): Promise<Outcome> {
  await workspace.run(["version"]);
  // A step may have a main.tf.json instead of the main.tf of the step before.
  rmSync(join(workspace.folder, "main.tf"), { force: true });
  workspace.write(step.files);
  const env = { TF_VAR_folder: join(workspace.folder, "shelf") };
  const { mode, targets = [], excludes = [], replace = [], refresh = true } = step.options ?? {};
  const flags = [
    ...(mode === "destroy" ? ["-destroy"] : mode === "refreshOnly" ? ["-refresh-only"] : []),
    ...targets.map((target) => `-target=${target}`),
    ...excludes.map((exclude) => `-exclude=${exclude}`),
    ...replace.map((one) => `-replace=${one}`),
    ...(refresh ? [] : ["-refresh=false"]),
  ];
  await workspace.run(["get"], { env });
  const planned = await workspace.run(["plan", "-json", "-input=false", "-out=plan.bin", ...flags], { env });
  const planLog = logOf(messagesIn(planned.stdout));
  const statePath = join(workspace.folder, "terraform.tfstate");
  if (planned.code !== 0) return { plan: undefined, planText: undefined, planLog, applyLog: undefined, state: stateOf(statePath) };
  const plan = JSON.parse(await workspace.must(["show", "-json", "plan.bin"], { env })) as Json;
  const planText = textOf(await workspace.must(["show", "plan.bin"], { env }));
  const applied = await workspace.run(["apply", "-json", "-input=false", "plan.bin"], { env });
  return { plan: planOf(plan), planText, planLog, applyLog: logOf(messagesIn(applied.stdout)), state: stateOf(statePath) };
}

async function engineStep(folder: string, { files, options = {} }: EngineStep, expect: ExpectStatic): Promise<Outcome> {
  const statePath = join(folder, "terraform.tfstate");
  const open = (configuration: Readonly<Record<string, string>>): Workspace =>
    openWorkspace({
      configuration: objectFiles(configuration),
      state: localState({ path: statePath }),
      providers: { [address]: async () => createProvider(shelf) },
    });
  const workspace = open(files);
  const variables = { folder: of(string, join(folder, "shelf")) };
  const [planEvents, applyEvents]: [EngineEvent[], EngineEvent[]] = [[], []];
  const plan = await workspace.plan({ ...options, variables, onEvent: (event) => void planEvents.push(event) });
  const planLog = await logOfEvents(planEvents);
  if (plan.errored) {
    await plan.close();
    return { plan: undefined, planText: undefined, planLog, applyLog: undefined, state: stateOf(statePath) };
  }
  const document = planOf((await plan.toJson()) as Json);
  const planText = textOf(renderPlan(plan, { color: true }));
  const saved = await plan.save();
  await plan.close();
  // The saved plan contains the configuration.
  const opened = await open({}).openPlan(saved);
  expect(planOf((await opened.toJson()) as Json)).toEqual(document);
  expect(textOf(renderPlan(opened, { color: true }))).toBe(planText);
  await opened.apply({ onEvent: (event) => void applyEvents.push(event) });
  return { plan: document, planText, planLog, applyLog: await logOfEvents(applyEvents), state: stateOf(statePath) };
}

/** A UI log: the messages about each object in their order, and all other messages. */
interface UiLogText {
  readonly objects: Json;
  readonly others: readonly unknown[];
}

function messagesIn(output: string): readonly Json[] {
  const lines = output.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line) as Json).filter((message) => !JSON.stringify(message).includes(overridesWarning));
}

/** The warning of tofu about `dev_overrides`. */
const overridesWarning = "Provider development overrides are in effect";

async function logOfEvents(events: readonly EngineEvent[]): Promise<UiLogText> {
  const messages: Json[] = [];
  for await (const message of uiLog(events)) messages.push(JSON.parse(JSON.stringify(message)) as Json);
  return logOf(messages);
}

/**
 * A UI log without times. The order of independent objects is random, so the messages are grouped by object. The order of planned changes,
 * drift and diagnostics is random, too (see `diagnostic-order` in docs/differences.md).
 */
function logOf(messages: readonly Json[]): UiLogText {
  const objects: Record<string, Json[]> = {};
  const others: string[] = [];
  for (const { "@timestamp": _, ...message } of messages) {
    const hook = message["hook"] as Json | undefined;
    const text = String(message["@message"]).replace(/after \d+s/, "after 0s");
    const normal = normalized({
      ...message,
      "@message": textOf(text),
      ...(hook && { hook: { ...hook, ...("elapsed_seconds" in hook && { elapsed_seconds: 0 }) } }),
    }) as Json;
    if (hook === undefined) others.push(JSON.stringify(normal));
    else (objects[String((hook["resource"] as Json)["addr"])] ??= []).push(normal);
  }
  const isAnyOrder = (line: string): boolean => /"type":"(planned_change|resource_drift|diagnostic)"/.test(line);
  const sorted = [...others.filter((line) => !isAnyOrder(line)), ...others.filter(isAnyOrder).sort()];
  return { objects, others: sorted.map((line) => JSON.parse(line) as unknown) };
}

/** Plan JSON without the time and the folder of the objects, and with sorted relevant attributes, which tofu lists in random order. */
function planOf(plan: Json): Json {
  const { timestamp, variables, relevant_attributes: relevant = [], ...rest } = plan;
  const { folder: _folder, ...others } = (variables ?? {}) as Json;
  const sorted = (relevant as readonly Json[]).map((one) => JSON.stringify(one)).sort();
  return normalized({
    ...rest,
    timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(timestamp)),
    variables: others,
    relevant: sorted,
  }) as Json;
}

/** A text with fixed words for random parts: deposed keys, the ids of `terraform_data` and the names of folders. */
function textOf(text: string): string {
  return text
    .replaceAll(/(?<=deposed object )[\da-f]{8}/g, "deposed")
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "uuid")
    .replaceAll(/[^\s'"]*\/tenon-(cli|engine)-\w+/g, "folder");
}

/** A state file without lineage and serial number; undefined if there is no file. */
function stateOf(path: string): Json | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  const { lineage: _, serial: _serial, check_results: checks, ...state } = JSON.parse(text) as Json;
  // tofu writes the results of checks in random order.
  const sorted = (checks as readonly Json[] | null)?.toSorted((a, b) => (String(a["config_addr"]) < String(b["config_addr"]) ? -1 : 1));
  return normalized({ ...state, check_results: sorted ?? null }) as Json;
}

/** A value with fixed words for random parts: deposed keys and the parts that {@link textOf} replaces. */
function normalized(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, part: unknown) => {
    if (key === "deposed" || key === "deposed_key") return "deposed";
    return typeof part === "string" ? textOf(part) : part;
  });
}
