// SPDX-License-Identifier: Apache-2.0
// Random configurations are applied and changed. A checker that knows only the configurations and the events finds every step that begins
// too early.
import { setImmediate as turn } from "node:timers/promises";
import type { EngineEvent } from "@tenon/engine";
import { openWorkspace } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import type { PlannedChanges } from "@tenon/engine/plan";
import { memoryState } from "@tenon/engine/state/stores";
import { attr, createProvider, defineProvider, type ServedProvider } from "@tenon/provider-sdk";
import { requiresReplace, useStateForUnknown } from "@tenon/provider-sdk/plan-modifiers";
import { randomOf } from "./random.ts";

type Random = (limit: number) => number;

/** How often a resource or a module is declared. */
interface Repetition {
  readonly kind: "single" | "count" | "each";
  readonly size: number;
}

/** A resource of one configuration. */
interface Node {
  readonly name: string;
  /** The name of the module call that the resource is in. */
  readonly call?: string;
  readonly repetition: Repetition;
  readonly createBeforeDestroy: boolean;
  /** A change replaces the objects. */
  readonly generation: number;
  /** A change updates the objects. */
  readonly value: number;
  readonly references: readonly string[];
}

interface Configuration {
  readonly nodes: ReadonlyMap<string, Node>;
  readonly calls: ReadonlyMap<string, Repetition>;
}

/** The largest number of objects that one graph has. */
const largestGraph = 300;

/** Makes two configurations whose references always lead from a later resource to an earlier one. */
function createConfigurations(random: Random): readonly [Configuration, Configuration] {
  // Graphs of all sizes, with few objects for each resource, or many.
  const size = 3 + random(random(3) === 0 ? largestGraph : 70);
  const moduleCount = random(4);
  const calls = new Map<string, Repetition>();
  for (let index = 0; index < moduleCount; index++) calls.set(`m${index}`, createRepetition(random));
  const nodes = new Map<string, Node>();
  let objects = 0;
  for (let index = 0; index < size; index++) {
    // Each module has a run of the indices, so that no two modules refer to each other in a circle.
    const place = Math.floor((index * (2 * moduleCount + 1)) / size);
    const call = place % 2 === 1 ? `m${(place - 1) / 2}` : undefined;
    const repetition = createRepetition(random);
    objects += repetition.size * (call === undefined ? 1 : calls.get(call)!.size) + 1;
    if (objects > largestGraph) break;
    const references = pick(random, [...nodes.keys()], random(4));
    const createBeforeDestroy = random(6) === 0;
    const node = { name: `n${index}`, ...(call !== undefined && { call }), repetition, createBeforeDestroy, references };
    nodes.set(node.name, { ...node, generation: 0, value: 0 });
  }
  const calls2 = new Map([...calls].map(([name, repetition]) => [name, changedRepetition(random, repetition)]));
  const nodes2 = [...nodes.values()].map((node): Node => {
    const earlier = [...nodes.keys()].filter((name) => Number(name.slice(1)) < Number(node.name.slice(1)));
    return {
      ...node,
      repetition: random(6) === 0 ? changedRepetition(random, node.repetition) : node.repetition,
      generation: random(5) === 0 ? 1 : 0,
      value: random(5) === 0 ? 1 : 0,
      references: random(8) === 0 ? pick(random, earlier, random(3)) : node.references,
    };
  });
  return [withoutSome(random, nodes.values(), calls), withoutSome(random, nodes2, calls2)];
}

function createRepetition(random: Random): Repetition {
  const kind = (["single", "single", "count", "each"] as const)[random(4)]!;
  return { kind, size: kind === "single" ? 1 : 1 + random(3) };
}

function changedRepetition(random: Random, { kind, size }: Repetition): Repetition {
  return { kind, size: kind === "single" ? 1 : Math.max(0, size - 1 + random(3)) };
}

function pick<T>(random: Random, from: readonly T[], count: number): readonly T[] {
  return from.length === 0 ? [] : [...new Set(Array.from({ length: count }, () => from[random(from.length)]!))];
}

function withoutSome(random: Random, nodes: Iterable<Node>, calls: ReadonlyMap<string, Repetition>): Configuration {
  const left = [...nodes].filter(() => random(10) > 0);
  const names = new Set(left.map(({ name }) => name));
  const whole = left.map((node) => ({ ...node, references: node.references.filter((name) => names.has(name)) }));
  return { nodes: new Map(whole.map((node) => [node.name, node])), calls };
}

const head = 'terraform {\n  required_providers {\n    mem = { source = "tenon/mem" }\n  }\n}\n';

/** The files of a configuration. */
function filesOf(configuration: Configuration): Readonly<Record<string, string>> {
  const { nodes, calls } = configuration;
  const inModule = (call: string | undefined): readonly Node[] => [...nodes.values()].filter((node) => node.call === call);
  const files: Record<string, string> = {};
  const callTexts: string[] = [];
  for (const [call, repetition] of calls) {
    const inner = inModule(call);
    const inputs = new Set(inner.flatMap(({ references }) => references.filter((name) => nodes.get(name)!.call !== call)));
    files[`${call}/main.tf`] = [
      head,
      ...[...inputs].map((name) => `variable "${name}" {}\n`),
      ...inner.map((node) => resourceText(configuration, node)),
      ...inner.map(({ name }) => `output "${name}" {\n  value = ${idsOf(`mem_node.${name}`, nodes.get(name)!.repetition, "id")}\n}\n`),
    ].join("");
    const variables = [...inputs].map((name) => `  ${name} = ${expressionFor(configuration, name)}\n`);
    callTexts.push(`module "${call}" {\n  source = "./${call}"\n${repetitionText(repetition)}${variables.join("")}}\n`);
  }
  files["main.tf"] = [head, ...callTexts, ...inModule(undefined).map((node) => resourceText(configuration, node))].join("");
  return files;
}

function resourceText(configuration: Configuration, node: Node): string {
  const inputs = node.references.map((name) =>
    configuration.nodes.get(name)!.call === node.call
      ? idsOf(`mem_node.${name}`, configuration.nodes.get(name)!.repetition, "id")
      : node.call === undefined
        ? expressionFor(configuration, name)
        : `var.${name}`,
  );
  return [
    `resource "mem_node" "${node.name}" {\n${repetitionText(node.repetition)}`,
    `  name   = "${node.name}-${node.generation}"\n  value  = "${node.value}"\n`,
    `  inputs = flatten([${inputs.join(", ")}])\n`,
    node.createBeforeDestroy ? "  lifecycle {\n    create_before_destroy = true\n  }\n" : "",
    "}\n",
  ].join("");
}

/** The ids of a node, as the root module refers to them. */
function expressionFor({ nodes, calls }: Configuration, name: string): string {
  const { call, repetition } = nodes.get(name)!;
  return call === undefined ? idsOf(`mem_node.${name}`, repetition, "id") : idsOf(`module.${call}`, calls.get(call)!, name);
}

function idsOf(address: string, { kind }: Repetition, attribute: string): string {
  if (kind === "single") return `${address}.${attribute}`;
  return kind === "count" ? `${address}[*].${attribute}` : `values(${address})[*].${attribute}`;
}

function repetitionText({ kind, size }: Repetition): string {
  if (kind === "single") return "";
  if (kind === "count") return `  count = ${size}\n`;
  return `  for_each = toset([${Array.from({ length: size }, (_, index) => `"k${index}"`).join(", ")}])\n`;
}

/** A provider that keeps nothing, and answers after a random number of turns. */
function createMemoryProvider(random: Random): ServedProvider {
  const pause = async (): Promise<void> => {
    for (let turns = random(4); turns > 0; turns--) await turn();
  };
  let created = 0;
  const mem = defineProvider({ name: "mem", version: "1.0.0", schema: {}, configure: () => undefined });
  const node = mem.resource("node", {
    schema: {
      id: attr.string({ computed: true, planModifiers: [useStateForUnknown()] }),
      name: attr.string({ required: true, planModifiers: [requiresReplace()] }),
      value: attr.string({ required: true }),
      inputs: attr.list(attr.string(), { optional: true }),
    },
    create: async ({ planned }) => {
      await pause();
      return { ...planned, id: `${planned.name}-${created++}` };
    },
    read: async ({ state }) => {
      await pause();
      return state;
    },
    update: async ({ state, planned }) => {
      await pause();
      return { ...planned, id: state.id };
    },
    delete: pause,
  });
  return mem.with([node]);
}

/** A step of an apply, with its place in the order of all events. */
interface Step {
  readonly kind: "put" | "destroy";
  readonly node: string;
  /** The key of the module instance; undefined for the root module and a module that is not repeated. */
  readonly moduleKey: string | number | undefined;
  readonly object: string;
  readonly planned: string;
  readonly start: number;
  end: number;
}

function objectText(...address: readonly [module: unknown, name: string, key: unknown]): string {
  return JSON.stringify(address);
}

/** The steps that events tell of. */
function stepsOf(events: readonly EngineEvent[]): readonly Step[] {
  const open = new Map<string, Step>();
  const steps: Step[] = [];
  for (const [index, event] of events.entries()) {
    if (event.type !== "applyStarted" && event.type !== "applyEnded") continue;
    const { instance } = event.address;
    const object = objectText(instance.module, instance.resource.name, instance.key);
    const kind = event.action === "delete" ? "destroy" : "put";
    if (event.type === "applyStarted") {
      const moduleKey = instance.module[0]?.key;
      const step: Step = { kind, node: instance.resource.name, moduleKey, object, planned: event.planned, start: index, end: Infinity };
      open.set(kind + object, step);
      steps.push(step);
    } else open.get(kind + object)!.end = index;
  }
  return steps;
}

/** All that each resource depends on, also over others. */
function dependenciesOf({ nodes, calls }: Configuration): ReadonlyMap<string, ReadonlySet<string>> {
  const result = new Map<string, Set<string>>();
  // Resources refer to earlier ones alone.
  for (const { name, call, references } of nodes.values()) {
    const direct = references.flatMap((one) => {
      const other = nodes.get(one)!.call;
      // A splat over the instances of a module depends on all that is in the module.
      if (other === undefined || other === call || calls.get(other)!.kind === "single") return [one];
      return [...nodes.values()].filter((node) => node.call === other).map((node) => node.name);
    });
    result.set(name, new Set(direct.flatMap((one) => [one, ...result.get(one)!])));
  }
  return result;
}

/** One step must end before another one starts. */
interface Rule {
  readonly first: Step;
  readonly second: Step;
  readonly text: string;
  /** Whether the other rules may demand the reverse, where `create_before_destroy` is new. */
  readonly isPreference: boolean;
}

/** What decides the order of the steps of a recorded object. */
interface Recorded {
  /** Names of the resources that the state records. An object that a configuration leaves alone keeps its earlier ones. */
  readonly dependencies: ReadonlySet<string>;
  /** Whether the plan has `create_before_destroy` for it. */
  readonly createsFirst: boolean;
}

/** The recorded objects, by {@link Step.object}. */
function recordedObjects({ priorState, resources }: PlannedChanges): ReadonlyMap<string, Recorded> {
  const late = new Set(
    resources
      .filter(({ createBeforeDestroy }) => createBeforeDestroy)
      .map(({ address: { instance } }) => objectText(instance.module, instance.resource.name, instance.key)),
  );
  const result = new Map<string, Recorded>();
  for (const { address, instances } of priorState.resources.values()) {
    for (const [key, { current, deposed }] of instances) {
      const recorded = [current, ...deposed.values()].flatMap((object) => object?.dependencies ?? []);
      const names = recorded.map((dependency) => dependency.split(".").at(-1)!);
      const object = objectText(address.module, address.resource.name, key);
      result.set(object, { dependencies: new Set(names), createsFirst: late.has(object) });
    }
  }
  return result;
}

/**
 * The rules for the steps from one configuration to another.
 *
 * @param stored The recorded objects.
 */
function rulesOf(
  steps: readonly Step[],
  stored: ReadonlyMap<string, Recorded>,
  before: Configuration | undefined,
  after: Configuration,
): readonly Rule[] {
  const rules: Rule[] = [];
  const none: ReadonlySet<string> = new Set();
  const wanted = dependenciesOf(after);
  const callOf = (name: string): string | undefined => (after.nodes.get(name) ?? before?.nodes.get(name))?.call;
  const byNode = Map.groupBy(steps, ({ node }) => node);
  const areLinked = (a: Step, b: Step): boolean =>
    callOf(a.node) === undefined || callOf(a.node) !== callOf(b.node) || a.moduleKey === b.moduleKey;
  const require = (first: Step, second: Step, text: string, isPreference = false): void =>
    void rules.push({ first, second, text, isPreference });
  const isLate = ({ planned, object }: Step): boolean => planned === "createThenDelete" || stored.get(object)?.createsFirst === true;
  for (const step of steps) {
    if (step.kind === "put") {
      for (const own of byNode.get(step.node)!.filter(({ kind, object }) => kind === "destroy" && object === step.object)) {
        if (step.planned === "createThenDelete") require(step, own, "a new object is created before the old one is destroyed");
        else require(own, step, "an old object is destroyed before the new one is created");
      }
    }
    const from = step.planned === "create" ? none : (stored.get(step.object)?.dependencies ?? none);
    const to = wanted.get(step.node) ?? none;
    for (const name of from.union(to)) {
      for (const other of (byNode.get(name) ?? []).filter((one) => areLinked(one, step))) {
        if (other.kind === "put") {
          if (step.kind === "put" && to.has(name)) require(other, step, "a dependency is put before its dependent");
          else if (step.kind === "destroy" && from.has(name)) {
            if (isLate(step)) require(other, step, "what an object depended on is changed before its late destruction", true);
            else require(step, other, "a dependent is destroyed before its dependency is changed", true);
          }
        } else if (step.kind === "destroy") {
          if (from.has(name)) require(step, other, "a dependent is destroyed before its dependency");
        } else if (other.planned === "createThenDelete") {
          require(step, other, "a dependent is changed before the old dependency is destroyed");
        } else if (other.planned === "delete" && stored.get(other.object)?.createsFirst === true) {
          require(step, other, "a dependent is changed before the dependency is destroyed", true);
        } else if (from.has(name)) {
          require(other, step, "a dependent is changed after its dependency is destroyed", true);
        }
      }
    }
  }
  return rules;
}

/** The rules that the steps break, as text. */
function violations(rules: readonly Rule[]): readonly string[] {
  const broken = rules.filter(({ first, second }) => first.end > second.start);
  const later = Map.groupBy(
    rules.filter((rule) => !rule.isPreference || !broken.includes(rule)),
    ({ first }) => first,
  );
  return broken
    .filter(({ first, second, isPreference }) => !isPreference || !stepsAfter(later, second).has(first))
    .map(({ first, second, text }) => `${text}: ${first.kind} ${first.object}, ${second.kind} ${second.object}`);
}

/** All steps that must come after a step. */
function stepsAfter(rules: ReadonlyMap<Step, readonly Rule[]>, start: Step): ReadonlySet<Step> {
  const found = new Set((rules.get(start) ?? []).map(({ second }) => second));
  for (const step of found) for (const { second } of rules.get(step) ?? []) found.add(second);
  return found;
}

/** Whether no order keeps the rules, the preferences aside. */
function areContradictory(rules: readonly Rule[]): boolean {
  const later = Map.groupBy(
    rules.filter(({ isPreference }) => !isPreference),
    ({ first }) => first,
  );
  return [...later.keys()].some((step) => stepsAfter(later, step).has(step));
}

/** The steps that a plan needs, in no order. */
function plannedSteps({ resources }: PlannedChanges): readonly Step[] {
  return resources.flatMap(({ address: { instance }, action }) => {
    const kinds =
      action === "noOp"
        ? []
        : action === "delete"
          ? ["destroy" as const]
          : action.includes("hen")
            ? (["put", "destroy"] as const)
            : ["put" as const];
    const object = objectText(instance.module, instance.resource.name, instance.key);
    return kinds.map((kind): Step => {
      return { kind, node: instance.resource.name, moduleKey: instance.module[0]?.key, object, planned: action, start: 0, end: 0 };
    });
  });
}

/** What the order of one graph showed. */
export interface OrderResult {
  /** Number of objects in the largest configuration. */
  readonly objects: number;
  /** Numbers of steps by the planned action. */
  readonly actions: Readonly<Record<string, number>>;
  /** Whether the last change had no order at all, which is an error of the apply. */
  readonly hasCycle: boolean;
  readonly faults: readonly string[];
}

/** Applies two random configurations, one after the other, then none, and checks the order of all steps. */
export async function checkOrder(seed: number): Promise<OrderResult> {
  const next = randomOf(seed);
  const random: Random = (limit) => Math.floor(next() * limit);
  const configurations = createConfigurations(random);
  const state = memoryState();
  const provider = createMemoryProvider(random);
  const actions: Record<string, number> = {};
  const faults: string[] = [];
  let objects = 0;
  let hasCycle = false;
  let before: Configuration | undefined;
  for (const configuration of [...configurations, { nodes: new Map(), calls: new Map() }]) {
    const workspace = openWorkspace({
      configuration: objectFiles(filesOf(configuration)),
      state,
      providers: { "tenon/mem": async () => createProvider(provider) },
    });
    const events: EngineEvent[] = [];
    await using plan = await workspace.plan();
    const { cycles = [], others = [] } = Object.groupBy(plan.diagnostics, ({ summary }) =>
      summary.startsWith("Cycle: ") ? "cycles" : "others",
    );
    faults.push(...others.map(({ summary }) => `the plan has a diagnostic: ${summary}`));
    const recorded = recordedObjects(plan.changes);
    const changed = plan.changes.resources.filter(({ action }) => action !== "noOp");
    objects = Math.max(objects, plan.changes.resources.length);
    if (cycles.length > 0) {
      // Some changes of `create_before_destroy` have no order, although `resolved-cycles` have one that OpenTofu does not find.
      if (!areContradictory(rulesOf(plannedSteps(plan.changes), recorded, before, configuration)))
        faults.push("an order exists, and was not found");
      hasCycle = true;
      break;
    }
    const applied = await plan.apply({ onEvent: (event) => void events.push(event) });
    const steps = stepsOf(events);
    for (const { action } of changed) actions[action] = (actions[action] ?? 0) + 1;
    faults.push(...applied.diagnostics.map(({ summary }) => `the apply has a diagnostic: ${summary}`));
    const made = new Set(steps.map(({ object }) => object)).size;
    if (made !== changed.length) faults.push(`${made} objects were changed, and ${changed.length} changes were planned`);
    faults.push(...violations(rulesOf(steps, recorded, before, configuration)));
    await using again = await workspace.plan();
    if (again.hasChanges) faults.push("the plan after the apply has changes");
    before = configuration;
  }
  return { objects, actions, hasCycle, faults };
}
