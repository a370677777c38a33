// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bridgePackage } from "@tenon/bridge/pulumi";
import { createProvider } from "@tenon/provider-sdk";
import { hasErrors, impliedType } from "@tenon/schema";
import { resourceType } from "@tenon/schema/lifecycle";
import { type Random, randomFor } from "../cty/random.ts";
import { declarationVariable, type SchemaDeclaration } from "../provider/declaration.ts";
import { makeProvider } from "../provider/generate/schema.ts";
import { changeConfig, hasUnknown, makeConfig, valueOfTree, type Tree } from "../provider/generate/values.ts";
import { madeProvider } from "../provider/made-provider.ts";
import { compareLives } from "./life-case.ts";
import { LifeDifference, type LifeEnd } from "./life-comparison.ts";
import { programData, propertiesOfTree } from "./life-values.ts";
import { PluginProcess } from "./plugin-process.ts";
import { recordingProvider, type RecordedRequest } from "./recording-provider.ts";
import { compareTofuLives, type TofuLife } from "./tofu-lives.ts";
import { TofuRun } from "./tofu-run.ts";

/** Result of a run. */
export interface LifeReport {
  readonly ends: Map<LifeEnd, number>;
  readonly failures: { readonly case: string; readonly text: string }[];
}

/** Number of lives with one provider. */
export const livesPerProvider = 50;

/** Runs the lives of one random provider. @param only - number of the only life to run. */
export async function runProvider(report: LifeReport, seed: number, index: number, count: number, only?: number): Promise<void> {
  const declared = withoutRules(makeProvider(randomFor(seed, "pulumi", index), { resources: 10, dataSources: 0 }));
  const folder = mkdtempSync(join(tmpdir(), "pulumi-life-"));
  try {
    const file = join(folder, "declaration.json");
    writeFileSync(file, JSON.stringify(declared));
    await using plugin = await PluginProcess.start(join(import.meta.dirname, "life-plugin.ts"), { [declarationVariable]: file });
    const ours = new ReceivedRequests(plugin);
    const theirs: RecordedRequest[] = [];
    const provider = recordingProvider(createProvider(madeProvider(declared)), (request) => theirs.push(request));
    const { mapping } = await bridgePackage(provider, { name: "made", version: "1.0.0" });
    const settings = programData(makeConfig(randomFor(seed, `pulumi/${index}`, 0), declared.config, known)) as Tree;
    const config = valueOfTree(settings, impliedType(mapping.config.schema.block));
    const { diagnostics } = await provider.configureProvider({ terraformVersion: "1.12.6", config });
    if (hasErrors(diagnostics)) throw new Error(JSON.stringify(diagnostics));
    await plugin.configure("made", propertiesOfTree(mapping.config.object, settings));
    const resources = [...mapping.resources.values()];
    for (let life = 0; life < count; life += 1) {
      if (only !== undefined && life !== only) continue;
      const random = randomFor(seed, `pulumi/${index}`, life + 1);
      const resource = resources[life % resources.length]!;
      const schema = declared.resources.find(({ name }) => `made_${name}` === resource.typeName)!;
      const [first, second] = lifeConfigs(random, schema, random.chance(0.3));
      const type = await resourceType(provider, resource.typeName, { providerAddress: "made" });
      const ways = {
        plugin,
        takeTheirs: () => theirs.splice(0),
        takeOurs: () => ours.take(),
      };
      try {
        const end = await compareLives(ways, { resource, type, first, second, isPreview: hasUnknown(second) });
        report.ends.set(end, (report.ends.get(end) ?? 0) + 1);
      } catch (error) {
        report.failures.push({ case: `${index}:${life}`, text: error instanceof Error ? error.message : String(error) });
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Number of lives with one provider under OpenTofu: each has a resource type of its own. */
export const tofuLivesPerProvider = 25;

/** Runs the lives of the resources of one random provider under OpenTofu and through the bridge. @param only - number of the only life to report. */
export async function runTofuProvider(tofu: string, report: LifeReport, seed: number, index: number, only?: number): Promise<void> {
  const declared = withoutRules(makeProvider(randomFor(seed, "pulumi-tofu", index), { resources: tofuLivesPerProvider, dataSources: 0 }));
  const folder = mkdtempSync(join(tmpdir(), "pulumi-life-"));
  try {
    const file = join(folder, "declaration.json");
    writeFileSync(file, JSON.stringify(declared));
    await using plugin = await PluginProcess.start(join(import.meta.dirname, "life-plugin.ts"), { [declarationVariable]: file });
    const ours = new ReceivedRequests(plugin);
    const theirs: RecordedRequest[] = [];
    const made = madeProvider(declared);
    const { mapping } = await bridgePackage(createProvider(made), { name: "made", version: "1.0.0" });
    const random = randomFor(seed, `pulumi-tofu/${index}`, 0);
    const settings = programData(makeConfig(random, declared.config, known)) as Tree;
    await plugin.configure("made", propertiesOfTree(mapping.config.object, settings));
    const open = (): ReturnType<typeof recordingProvider> => recordingProvider(createProvider(made), (request) => theirs.push(request));
    await using run = await TofuRun.start(tofu, open, settings);
    const isPreview = index % 3 === 2;
    const lives = [...mapping.resources.values()].map((resource): TofuLife => {
      const schema = declared.resources.find(({ name }) => `made_${name}` === resource.typeName)!;
      const [first, second] = lifeConfigs(random, schema, isPreview);
      return { resource, first, second };
    });
    const ends = await compareTofuLives(
      { tofu: run, plugin, takeTheirs: () => theirs.splice(0), takeOurs: () => ours.take() },
      lives,
      isPreview,
    );
    for (const [number, life] of lives.entries()) {
      if (only !== undefined && number !== only) continue;
      const end = ends.get(life)!;
      if (end instanceof LifeDifference) report.failures.push({ case: `tofu:${index}:${number}`, text: end.message });
      else report.ends.set(end, (report.ends.get(end) ?? 0) + 1);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The requests that the provider behind a plugin has received. */
class ReceivedRequests {
  readonly #plugin: PluginProcess;
  readonly #requests: RecordedRequest[] = [];

  constructor(plugin: PluginProcess) {
    this.#plugin = plugin;
    plugin.process.on("message", (request) => this.#requests.push(request as RecordedRequest));
  }

  /** Those since the last call. Messages arrive in order: those sent before the answer to a call are here after it, and a turn of the event loop. */
  async take(): Promise<readonly RecordedRequest[]> {
    await this.#plugin.calls.getPluginInfo({});
    await new Promise((resolve) => setImmediate(resolve));
    return this.#requests.splice(0);
  }
}

/** A configuration, and one that it changes to. Most have no mode, so that lives go on to their end. */
function lifeConfigs(random: Random, schema: SchemaDeclaration, unknowns: boolean): readonly [Tree, Tree] {
  const generated = makeConfig(random, schema, known);
  const changed = changeConfig(random, schema, generated, { unknowns, faults: false });
  const [first, second] = [generated, changed].map(
    (config) => programData(random.chance(0.75) ? { ...config, mode: null } : config) as Tree,
  );
  return [first!, second!];
}

/** Removes validators and rules of several attributes: random configurations seldom satisfy them. */
function withoutRules<Declared>(declared: Declared): Declared {
  const text = JSON.stringify(declared, (key, part: unknown) => {
    if (key === "validators" || key === "rules") return undefined;
    return key === "modifiers" ? (part as readonly unknown[]).filter((name) => name !== "refuse") : part;
  });
  return JSON.parse(text) as Declared;
}

const known = { unknowns: false, faults: false };
