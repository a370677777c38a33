// SPDX-License-Identifier: Apache-2.0
import { randomFor, type Random } from "@tenon/testing/generate";
import { ConfigurationMaker } from "./configuration.ts";
import type { Module } from "./module.ts";
import { peerProviders } from "./peer-types.ts";
import { fixedTypes, makeTypes, type MadeTypes } from "./resource-types.ts";

/** A change of the objects or of the state, outside of both cores. A number picks among what exists when the step begins. */
export type OutsideChange = { readonly kind: "change" | "gone" | "taint"; readonly pick: number };

/** What a step does beside its configuration. */
export interface StepSettings {
  readonly name: string;
  readonly outside?: readonly OutsideChange[];
  readonly mode?: "normal" | "destroy" | "refreshOnly";
  readonly refresh?: boolean;
  readonly targets?: readonly InstanceChoice[];
  readonly excludes?: readonly InstanceChoice[];
  readonly replace?: readonly InstanceChoice[];
}

/** An address, or a number that picks among the resource instances of the state. */
export type InstanceChoice = number | string;

/** A plan, and its apply. */
export interface CaseStep extends StepSettings {
  readonly modules: readonly Module[];
}

/** A configuration that changes from step to step. */
export interface EngineCase {
  readonly seed: number;
  readonly index: number;
  readonly dynamicResources: string;
  readonly steps: readonly CaseStep[];
  readonly constructs: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
  /** The Go providers that it uses. */
  readonly peers: readonly string[];
}

const made = new Map<number, MadeTypes>();

/** The declared types of a run, which all its cases share: a process of the provider serves one set. */
export function typesOf(seed: number): MadeTypes {
  const known = made.get(seed) ?? makeTypes(randomFor(seed, "engine types", 0), 8);
  made.set(seed, known);
  return known;
}

/** Makes the case with the given number. */
export function makeCase(seed: number, index: number, maxSteps = 5): EngineCase {
  const random = randomFor(seed, "engine", index);
  const { types, dynamicResources } = typesOf(seed);
  const peers = peerProviders.filter(() => random.chance(0.25));
  const maker = new ConfigurationMaker(random, randomFor(seed, "engine deprecations", index), [...fixedTypes, ...types], peers);
  const steps: CaseStep[] = [];
  const add = (name: string, options: Omit<CaseStep, "name" | "modules"> = {}): void => {
    steps.push({ name, modules: structuredClone(maker.modules), ...options });
  };
  if (random.chance(0.08)) {
    maker.fail("create", pickSome(random, maker.probableIds()));
    add("failing create");
    maker.succeed();
    add("resume");
  } else add("create");
  const count = 1 + random.int(maxSteps - 1);
  while (steps.length < count) {
    const name = random.weighted(stepWeights);
    maker.settle();
    next(name, random, maker, add);
  }
  if (random.chance(0.3)) add("destroy", { mode: "destroy" });
  return {
    seed,
    index,
    dynamicResources,
    steps,
    constructs: maker.constructs,
    functions: maker.functions,
    peers: peers.map(({ name }) => name),
  };
}

const stepWeights = [
  [3, "no-op"],
  [10, "edit"],
  [5, "repeat"],
  [4, "remove"],
  [4, "rename"],
  [3, "implied move"],
  [2, "rekey"],
  [2, "move into a module"],
  [3, "lifecycle"],
  [4, "grow"],
  [4, "drift"],
  [2, "gone"],
  [3, "taint"],
  [3, "target"],
  [2, "exclude"],
  [3, "refresh only"],
  [2, "without refresh"],
  [3, "replace"],
  [3, "failure"],
  [2, "import"],
] as const;

type StepName = (typeof stepWeights)[number][1];

function next(
  name: StepName,
  random: Random,
  maker: ConfigurationMaker,
  add: (name: string, options?: Omit<CaseStep, "name" | "modules">) => void,
): void {
  const pick = (): number => random.int(1000);
  const outside = (kind: OutsideChange["kind"]): readonly OutsideChange[] =>
    random.times(1 + random.int(2), () => ({ kind, pick: pick() }));
  switch (name) {
    case "no-op":
      return add(name);
    case "edit":
      maker.edit();
      return add(name);
    case "grow":
      maker.grow();
      return add(name);
    case "repeat":
      return maker.repeat() ? add(name) : undefined;
    case "remove":
      return maker.remove() ? add(name) : undefined;
    case "rename":
      return maker.rename() ? add(name) : undefined;
    case "rekey":
      return maker.rekey() ? add(name) : undefined;
    case "move into a module":
      return maker.moveIntoModule() ? add(name) : undefined;
    case "implied move":
      return maker.toggleCount() ? add(name) : undefined;
    case "lifecycle":
      if (!maker.changeLifecycle()) return;
      if (random.chance(0.5)) maker.edit();
      return add(name);
    case "drift":
      if (random.chance(0.3)) maker.edit();
      return add(name, { outside: outside("change") });
    case "gone":
      return add(name, { outside: outside("gone") });
    case "taint":
      return add(name, { outside: outside("taint") });
    case "target":
      maker.edit();
      return add(name, {
        targets: [pick(), ...(random.chance(0.3) ? [pick()] : [])],
        ...(random.chance(0.2) && { mode: "destroy" as const }),
      });
    case "exclude":
      maker.edit();
      return add(name, { excludes: [pick()], ...(random.chance(0.2) && { mode: "destroy" as const }) });
    case "refresh only":
      return add(name, { mode: "refreshOnly", outside: outside(random.pick(["change", "gone"])) });
    case "without refresh":
      maker.edit();
      return add(name, { refresh: false, outside: outside("change") });
    case "replace":
      return add(name, { replace: [pick()] });
    case "failure": {
      maker.edit();
      if (random.chance(0.4)) maker.remove();
      if (random.chance(0.4)) maker.grow();
      for (const operation of ["create", "update", "delete"])
        if (random.chance(0.7)) maker.fail(operation, pickSome(random, maker.probableIds()));
      add(name);
      maker.succeed();
      return add("resume");
    }
    case "import": {
      const forgotten = maker.forget();
      if (forgotten === undefined) return;
      add("forget");
      maker.settle();
      maker.addImport(forgotten);
      return add(name);
    }
  }
}

function pickSome(random: Random, from: readonly string[]): readonly string[] {
  return from.filter(() => random.chance(0.35));
}
