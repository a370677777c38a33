// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type ObjectType, type Value } from "@tenon/cty";
import { valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { hasErrors } from "@tenon/schema";
import { resourceType } from "@tenon/schema/lifecycle";
import { type Random, randomFor } from "@tenon/testing/generate";
import type { SchemaDeclaration } from "../provider/declaration.ts";
import { changeConfig, makeConfig } from "../provider/generate/configuration.ts";
import { makeProvider } from "../provider/generate/schema.ts";
import { compareLives } from "./life-case.ts";
import { LifeDifference, type LifeEnd } from "./life-comparison.ts";
import { MadePlugin } from "./made-plugin.ts";
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
  await using made = await MadePlugin.start(declared, randomFor(seed, `pulumi/${index}`, 0));
  const { mapping } = made;
  const provider = made.open();
  const { diagnostics } = await provider.configureProvider({ terraformVersion: "1.12.6", config: made.settings });
  if (hasErrors(diagnostics)) throw new Error(JSON.stringify(diagnostics));
  const resources = [...mapping.resources.values()];
  for (let life = 0; life < count; life += 1) {
    if (only !== undefined && life !== only) continue;
    const random = randomFor(seed, `pulumi/${index}`, life + 1);
    const resource = resources[life % resources.length]!;
    const [first, second] = lifeConfigs(random, made.schemaOf(resource), random.chance(0.3));
    const type = await resourceType(provider, resource.typeName, { providerAddress: "made" });
    try {
      const end = await compareLives(made, { resource, type, first, second, isPreview: !isWhollyKnown(second) });
      report.ends.set(end, (report.ends.get(end) ?? 0) + 1);
    } catch (error) {
      report.failures.push({ case: `${index}:${life}`, text: error instanceof Error ? error.message : String(error) });
    }
  }
}

/** Number of lives with one provider under OpenTofu: each has a resource type of its own. */
export const tofuLivesPerProvider = 25;

/** Runs the lives of the resources of one random provider under OpenTofu and through the bridge. @param only - number of the only life to report. */
export async function runTofuProvider(tofu: string, report: LifeReport, seed: number, index: number, only?: number): Promise<void> {
  const declared = withoutRules(makeProvider(randomFor(seed, "pulumi-tofu", index), { resources: tofuLivesPerProvider, dataSources: 0 }));
  const random = randomFor(seed, `pulumi-tofu/${index}`, 0);
  await using made = await MadePlugin.start(declared, random);
  await using run = await TofuRun.start(tofu, () => made.open(), made.settings);
  const isPreview = index % 3 === 2;
  const lives = [...made.mapping.resources.values()].map((resource): TofuLife => {
    const [first, second] = lifeConfigs(random, made.schemaOf(resource), isPreview);
    return { resource, first, second };
  });
  const ways = { tofu: run, plugin: made.plugin, takeTheirs: () => made.takeTheirs(), takeOurs: () => made.takeOurs() };
  const ends = await compareTofuLives(ways, lives, isPreview);
  for (const [number, life] of lives.entries()) {
    if (only !== undefined && number !== only) continue;
    const end = ends.get(life)!;
    if (end instanceof LifeDifference) report.failures.push({ case: `tofu:${index}:${number}`, text: end.message });
    else report.ends.set(end, (report.ends.get(end) ?? 0) + 1);
  }
}

/** A configuration, and one that it changes to. Most have no mode, so that lives go on to their end. */
function lifeConfigs(random: Random, schema: SchemaDeclaration, unknowns: boolean): readonly [Value, Value] {
  const generated = makeConfig(random, schema, known);
  const changed = changeConfig(random, schema, generated, { unknowns, faults: false });
  const [first, second] = [generated, changed].map((config) => (random.chance(0.75) ? withoutMode(config) : config));
  return [first!, second!];
}

function withoutMode(config: Value): Value {
  const { slots } = config.type as ObjectType;
  return valueOf(config.type, (config.payload as readonly Payload[]).with(slots.get("mode")!, null));
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
