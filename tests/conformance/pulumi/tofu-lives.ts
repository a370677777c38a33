// SPDX-License-Identifier: Apache-2.0
import type { ResourceMapping } from "@tenon/bridge/pulumi";
import type { Value } from "@tenon/cty";
import { decode } from "@tenon/cty/json";
import { DiffResponse_DiffChanges as Changes } from "@tenon/protocol/pulumi";
import { impliedType } from "@tenon/schema";
import type { Json, Outcome } from "../engine-differential/outcome.ts";
import { compare, difference, LifeDifference, type LifeEnd, type Settled, settled } from "./life-comparison.ts";
import { comparable, expectedOutputs, propertiesOf, propertiesOfTree } from "./life-values.ts";
import type { PluginProcess } from "./plugin-process.ts";
import type { RecordedRequest } from "./recording-provider.ts";
import type { Configurations, TofuRun } from "./tofu-run.ts";
import { Unknown, type Tree } from "./value-tree.ts";

/** A resource, and the configurations of its life. */
export interface TofuLife {
  readonly resource: ResourceMapping;
  readonly first: Value;
  readonly second: Value;
}

/** Both ways to the provider, with the requests that it received since the last look. */
export interface TofuWays {
  readonly tofu: TofuRun;
  readonly plugin: PluginProcess;
  readonly takeTheirs: () => readonly RecordedRequest[];
  readonly takeOurs: () => Promise<readonly RecordedRequest[]>;
}

/** How a life ended, or how the ways differ. */
export type TofuEnd = LifeEnd | LifeDifference;

/**
 * Leads resources, each of a type of its own, through creation and change under OpenTofu, all in one run, and then one by one through the bridge.
 *
 * @param isPreview - whether the second configurations have unknown values, so that the change is only planned.
 */
export async function compareTofuLives(
  ways: TofuWays,
  lives: readonly TofuLife[],
  isPreview: boolean,
): Promise<ReadonlyMap<TofuLife, TofuEnd>> {
  const steps = await tofuSteps(ways, lives, isPreview);
  const ends = new Map<TofuLife, TofuEnd>();
  for (const life of lives) {
    try {
      ends.set(life, await new Comparison(ways, life, steps).run(isPreview));
    } catch (error) {
      if (!(error instanceof LifeDifference)) throw error;
      ends.set(life, error);
    }
  }
  return ends;
}

/** What tofu made of a configuration: its outcome, and the requests that the provider received. */
interface TofuStep {
  readonly outcome: Outcome;
  readonly requests: readonly RecordedRequest[];
  /** Types of the resources whose plan tofu refused. */
  readonly refused: ReadonlySet<string>;
}

async function tofuSteps(ways: TofuWays, lives: readonly TofuLife[], isPreview: boolean): Promise<readonly [TofuStep, TofuStep]> {
  const first = new Map(lives.map(({ resource, first: config }) => [resource.typeName, config]));
  const created = await tofuStep(ways, first, true);
  const existing = stateTypes(created.outcome);
  const second = lives
    .filter(({ resource }) => existing.has(resource.typeName))
    .map((life) => [life.resource.typeName, life.second] as const);
  return [created, await tofuStep(ways, new Map(second), !isPreview)];
}

/** Runs tofu. An error in the plan of a resource fails the whole plan: then it runs again without the resource. */
async function tofuStep(ways: TofuWays, configurations: Configurations, apply: boolean): Promise<TofuStep> {
  const refused = new Set<string>();
  for (;;) {
    ways.takeTheirs();
    const left = new Map([...configurations].filter(([type]) => !refused.has(type)));
    const outcome = await ways.tofu.run(left, apply);
    if (outcome.isPlanned) return { outcome, requests: ways.takeTheirs(), refused };
    const errors = outcome.planDiagnostics.filter(({ severity }) => severity === "error");
    const types = errors.map(({ address }) => address.split(".")[0]!).filter((type) => left.has(type));
    if (types.length === 0) throw new Error(`tofu cannot plan: ${JSON.stringify(errors)}`);
    for (const type of types) refused.add(type);
  }
}

interface StateInstance {
  readonly status?: string;
  readonly attributes: Json;
}

function instancesOf({ state }: Outcome): ReadonlyMap<string, StateInstance> {
  const { resources = [] } = JSON.parse(state ?? "{}") as {
    readonly resources?: readonly { readonly type: string; readonly instances: readonly StateInstance[] }[];
  };
  return new Map(resources.map(({ type, instances }) => [type, instances[0]!]));
}

/** Types of the complete resources in a state. */
function stateTypes(outcome: Outcome): ReadonlySet<string> {
  return new Set([...instancesOf(outcome)].filter(([, { status }]) => status === undefined).map(([type]) => type));
}

interface PlannedResource {
  readonly type: string;
  readonly change: { readonly actions: readonly string[]; readonly after: unknown; readonly after_unknown: unknown };
}

/** Request for a change of a resource. */
interface Change {
  readonly urn: string;
  readonly id: string;
  readonly olds: JsonObject;
  readonly oldInputs: JsonObject;
  readonly news: JsonObject;
}

type JsonObject = NonNullable<Parameters<PluginProcess["calls"]["update"]>[0]["news"]>;

class Comparison {
  readonly #ways: TofuWays;
  readonly #life: TofuLife;
  readonly #created: TofuStep;
  readonly #changed: TofuStep;
  readonly #urn: string;

  constructor(ways: TofuWays, life: TofuLife, [created, changed]: readonly [TofuStep, TofuStep]) {
    this.#ways = ways;
    this.#life = life;
    this.#created = created;
    this.#changed = changed;
    this.#urn = `urn:pulumi:dev::project::${life.resource.token}::r`;
  }

  async run(isPreview: boolean): Promise<LifeEnd> {
    const { resource, first } = this.#life;
    const { calls } = this.#ways.plugin;
    const urn = this.#urn;
    await this.#ways.takeOurs();
    const isRefused = this.#created.refused.has(resource.typeName);
    const checked = await calls.check({ urn, news: propertiesOf(resource.object, first) as never, randomSeed: new Uint8Array(32) });
    const created = checked.failures.length > 0 ? { error: "check" } : await settled(calls.create({ urn, properties: checked.inputs! }));
    const theirs = instancesOf(this.#created.outcome).get(resource.typeName);
    if ("error" in created) {
      if (!isRefused && theirs !== undefined && theirs.status === undefined) throw difference("create", theirs, created.error);
      return "refused";
    }
    if (isRefused || theirs === undefined || theirs.status !== undefined) throw difference("create", theirs ?? "refused", created.value);
    this.#compareRequests("create", this.#created, await this.#ways.takeOurs(), ["planResourceChange", "applyResourceChange"]);
    this.#compareOutputs("outputs of the create", this.#created, created.value.properties);
    return await this.#change(isPreview, { id: created.value.id, olds: created.value.properties!, oldInputs: checked.inputs! });
  }

  async #change(
    isPreview: boolean,
    prior: { readonly id: string; readonly olds: JsonObject; readonly oldInputs: JsonObject },
  ): Promise<LifeEnd> {
    const { resource, second } = this.#life;
    const { calls } = this.#ways.plugin;
    const urn = this.#urn;
    const isRefused = this.#changed.refused.has(resource.typeName);
    const { id, olds, oldInputs } = prior;
    const news = propertiesOf(resource.object, second) as never;
    const checked = await calls.check({ urn, olds: oldInputs, news, randomSeed: new Uint8Array(32) });
    const change: Change = { urn, id, olds, oldInputs, news: checked.inputs! };
    const diff = checked.failures.length > 0 ? { error: "check" } : await settled(calls.diff(change));
    if (isRefused || "error" in diff) {
      if (!isRefused || !("error" in diff)) throw difference("diff", isRefused ? "refused" : "planned", diff);
      return "refused";
    }
    const requests = await this.#ways.takeOurs();
    this.#compareRequests("diff", this.#changed, requests, ["planResourceChange"]);
    this.#compareStoredStates(requests);
    const planned = this.#planned();
    const isReplacement = diff.value.replaces.length > 0;
    const actions = planned?.change.actions.toSorted().join("+") ?? "no-op";
    compare("action", actions, diff.value.changes === Changes.DIFF_NONE ? "no-op" : isReplacement ? "create+delete" : "update");
    if (actions === "no-op") return "no change";
    const preview = isReplacement
      ? await calls.create({ urn, properties: checked.inputs!, preview: true })
      : await calls.update({ ...change, preview: true });
    const after = plannedTree(planned!.change.after, planned!.change.after_unknown);
    compare(
      "planned properties",
      comparable(propertiesOfTree(resource.object, after as Tree), resource.object),
      comparable(preview.properties, resource.object),
    );
    if (isPreview) return isReplacement ? "replace" : "planned";
    await this.#ways.takeOurs();
    return isReplacement ? await this.#replace(change) : await this.#update(change);
  }

  async #update(change: Change): Promise<LifeEnd> {
    const updated = await settled(this.#ways.plugin.calls.update(change));
    this.#compareRequests("update", this.#changed, await this.#ways.takeOurs(), ["applyResourceChange"]);
    return this.#applied(updated, "update");
  }

  async #replace({ urn, id, olds, news }: Change): Promise<LifeEnd> {
    const { calls } = this.#ways.plugin;
    const deleted = await settled(calls.delete({ urn, id, properties: olds }));
    const created = "error" in deleted ? deleted : await settled(calls.create({ urn, properties: news }));
    this.#compareRequests("replacement", this.#changed, await this.#ways.takeOurs(), ["applyResourceChange"]);
    return this.#applied(created, "replace");
  }

  #applied(ours: Settled<{ readonly properties?: object | undefined }>, end: "update" | "replace"): LifeEnd {
    const { typeName } = this.#life.resource;
    const errors = this.#changed.outcome.applyDiagnostics.filter(
      ({ severity, address }) => severity === "error" && address.split(".")[0] === typeName,
    );
    if ("error" in ours || errors.length > 0) {
      if (!("error" in ours) || errors.length === 0) throw difference(end, errors, ours);
      return "refused";
    }
    this.#compareOutputs(`outputs of the ${end}`, this.#changed, ours.value.properties);
    return end;
  }

  #planned(): PlannedResource | undefined {
    const { resource_changes: changes = [] } = this.#changed.outcome.plan as { readonly resource_changes?: readonly PlannedResource[] };
    return changes.find(({ type }) => type === this.#life.resource.typeName);
  }

  #compareOutputs(what: string, { outcome }: TofuStep, properties: unknown): void {
    const { typeName, object, schema } = this.#life.resource;
    const { attributes } = instancesOf(outcome).get(typeName)!;
    const state = decode(exactText(outcome.state!, typeName, attributes), impliedType(schema.block));
    compare(what, expectedOutputs(object, state), comparable(properties, object));
  }

  /** Compares the stored states that the provider upgrades. Tofu has the state of a saved plan upgraded, too, after it was read once. */
  #compareStoredStates(ours: readonly RecordedRequest[]): void {
    const { typeName } = this.#life.resource;
    const states = (all: readonly RecordedRequest[]): readonly (string | undefined)[] => [
      ...new Set(
        all.filter((one) => one.typeName === typeName && one.call === "upgradeResourceState").map(({ values }) => values["rawState"]),
      ),
    ];
    const theirs = states(this.#changed.requests);
    const own = states(ours);
    if (!own.every((state) => theirs.includes(state))) throw difference("stored states", theirs, own);
  }

  /** Compares the values in some requests. Repeated ones count once, and those that plan a deletion do not: tofu does not make them. */
  #compareRequests(step: string, { requests }: TofuStep, ours: readonly RecordedRequest[], calls: readonly string[]): void {
    const { typeName } = this.#life.resource;
    const texts = (all: readonly RecordedRequest[]): readonly string[] => {
      const some = all.filter(
        (one) => one.typeName === typeName && calls.includes(one.call) && !one.values["proposedNewState"]?.startsWith("cty.NullVal("),
      );
      return [...new Set(some.map((request) => JSON.stringify(withoutDeletedParts(request))))].toSorted();
    };
    compare(`requests of the ${step}`, texts(requests), texts(ours));
  }
}

/**
 * Removes what differs between the deletion of a replacement, which tofu does not plan, and another one: the identity that the plan has, and
 * the types of dynamic attributes in null objects.
 */
function withoutDeletedParts({ values, ...request }: RecordedRequest): object {
  const isDeletion = values["plannedState"]?.startsWith("cty.NullVal(") ?? false;
  const kept = Object.entries(values).filter(([name]) => !isDeletion || name !== "plannedIdentity");
  return { ...request, values: Object.fromEntries(kept.map(([name, value]) => [name, value.startsWith("cty.NullVal(") ? "null" : value])) };
}

/** JSON text of the attributes in a state, with all digits of its numbers. */
function exactText(state: string, typeName: string, attributes: Json): string {
  const exact = JSON as unknown as {
    parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown;
    rawJSON(text: string): unknown;
  };
  const parsed = exact.parse(state, (_, value, { source }) => (typeof value === "number" && source ? exact.rawJSON(source) : value));
  const { resources } = parsed as {
    readonly resources: readonly { readonly type: string; readonly instances: readonly StateInstance[] }[];
  };
  return JSON.stringify(resources.find(({ type }) => type === typeName)?.instances[0]?.attributes ?? attributes);
}

/** Planned data, with the unknown parts that tofu lists apart from it. */
function plannedTree(after: unknown, unknown: unknown): unknown {
  if (unknown === true) return Unknown;
  if (Array.isArray(after) || Array.isArray(unknown)) {
    const [values, marks] = [(after ?? []) as readonly unknown[], (unknown || []) as readonly unknown[]];
    return Array.from({ length: Math.max(values.length, marks.length) }, (_, index) => plannedTree(values[index] ?? null, marks[index]));
  }
  if (typeof after !== "object" || after === null) {
    return typeof unknown === "object" && unknown !== null && Object.keys(unknown).length > 0 ? plannedTree({}, unknown) : after;
  }
  const marks = (unknown || {}) as Json;
  const names = new Set([...Object.keys(after), ...Object.keys(marks)]);
  return Object.fromEntries([...names].map((name) => [name, plannedTree((after as Json)[name] ?? null, marks[name])]));
}
