// SPDX-License-Identifier: Apache-2.0
// The life of one resource of a Go provider, led by our client and by OpenTofu with the same configuration.
import { dirname } from "node:path";
import { isUnknown, openProvider, PluginHostError, type ResourceHandle, type ResourcePlan } from "@tenon/plugin-host";
import type { ExpectStatic } from "vitest";
import { CliWorkspace, type ResourceChangeJson } from "./cli-workspace.ts";

export type Config = Readonly<Record<string, unknown>>;

/** What is planned and done next. */
export interface Stage {
  /** With `unknownValue` for what is known only after apply. */
  readonly config: Config;
  /** What such a value turns out to be. */
  readonly later?: string;
  /** The object exists already: it is imported by this id. */
  readonly imports?: string;
  /** What somebody else does to the objects before, by the provider's configuration. */
  readonly meanwhile?: (provider: Config) => void;
  /** It cannot be applied; what there is nevertheless is kept. */
  readonly fails?: boolean;
}

/** What is done to one resource, stage after stage; at last it is destroyed. */
export interface Life {
  readonly typeName: string;
  readonly stages: readonly Stage[];
  /** Attributes that tell when something was made, and so differ. */
  readonly momentary?: readonly string[];
}

export interface SharedLife {
  readonly tofu: string;
  /** Path of the provider, and its type. */
  readonly provider: string;
  readonly name: string;
  readonly life: Life;
  /** The provider's configuration for our client, and for OpenTofu. */
  readonly ours: Config;
  readonly theirs: Config;
  readonly expect: ExpectStatic;
}

/** Leads both lives, and holds every plan and every state of one against those of the other. */
export async function leadBoth({ tofu, provider: path, name, life, ours, theirs, expect }: SharedLife): Promise<void> {
  const source = `example.com/tenon/${name}`;
  using workspace = new CliWorkspace(tofu, { kind: "devOverrides", source, folder: dirname(path) });
  await using client = await openProvider(path, { config: ours });
  const resources = client.resource(life.typeName);
  let handle: ResourceHandle | undefined;
  const provider = { terraform: { required_providers: { [name]: { source } } }, provider: { [name]: theirs } };
  for (const [index, stage] of [...life.stages, undefined].entries()) {
    for (const configured of [ours, theirs]) stage?.meanwhile?.(configured);
    workspace.write({ "main.tf.json": JSON.stringify({ ...provider, ...(stage && written(life.typeName, stage)) }) });
    const change = (await workspace.plan()).resource_changes?.find(({ address }) => address === `${life.typeName}.it`);
    if (stage?.imports !== undefined) handle = await resources.import(stage.imports);
    else if (handle) handle = await resources.read(handle);
    const plan = stage === undefined ? await resources.planDelete(handle!) : await resources.plan(stage.config, { prior: handle });
    expect(withoutMoments(oursOf(plan), life), `plan ${index + 1}`).toEqual(withoutMoments(theirsOf(change!), life));

    const { code, stderr } = await workspace.run(["apply", "-input=false", "-no-color", "plan.bin"]);
    expect(code, `apply ${index + 1}: ${stderr}`).toBe(stage?.fails ? 1 : 0);
    handle = await applied(plan, stage);
    const recorded = (await workspace.state()).values?.root_module.resources?.find(({ address }) => address === `${life.typeName}.it`);
    const [our, their] = [asJson(handle?.state), recorded?.values].map((state) => withoutMoments(state, life));
    expect([our, handle?.status === "tainted"], `state ${index + 1}`).toEqual([their, recorded?.tainted === true]);
  }
  expect(handle).toBeUndefined();
}

/** A stage as a configuration in JSON: what is known only after apply is another resource's. */
function written(typeName: string, { config, later, imports }: Stage): Config {
  const text = JSON.stringify(config, (_name, value: unknown) => (isUnknown(value) ? "${terraform_data.later.output}" : value));
  const other = later === undefined ? {} : { terraform_data: { later: { input: later } } };
  return {
    resource: { [typeName]: { it: JSON.parse(text) as unknown }, ...other },
    ...(imports === undefined ? {} : { import: { to: `${typeName}.it`, id: imports } }),
  };
}

async function applied(plan: ResourcePlan, stage: Stage | undefined): Promise<ResourceHandle | undefined> {
  try {
    return await plan.apply(stage?.later === undefined ? undefined : (revealed(stage.config, stage.later) as Config));
  } catch (error) {
    if (!stage?.fails || !(error instanceof PluginHostError)) throw error;
    return error.remaining;
  }
}

/** A configuration with what had not been known. */
function revealed(data: unknown, later: string): unknown {
  if (isUnknown(data)) return later;
  if (Array.isArray(data)) return data.map((element: unknown) => revealed(element, later));
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, part]) => [name, revealed(part, later)]));
}

interface Said {
  readonly actions: readonly string[];
  readonly reason: string | undefined;
  readonly before: unknown;
  readonly after: unknown;
  /** True where unknown; undefined where everything is known. */
  readonly unknown: unknown;
  readonly replacePaths: readonly string[];
}

const actions = { noOp: ["no-op"], create: ["create"], update: ["update"], replace: ["delete", "create"], delete: ["delete"] };

function oursOf(plan: ResourcePlan): Said {
  return {
    actions: actions[plan.action],
    reason: plan.reason,
    before: asJson(plan.before) ?? null,
    after: asJson(known(plan.after)) ?? null,
    unknown: shapeOf(plan.after, isUnknown),
    replacePaths: plan.requiresReplace,
  };
}

const reasons: Readonly<Record<string, string>> = {
  replace_because_cannot_update: "cannotUpdate",
  replace_because_tainted: "tainted",
  replace_by_request: "requested",
};

function theirsOf({ change, action_reason: reason = "" }: ResourceChangeJson): Said {
  return {
    actions: change.actions,
    reason: reasons[reason],
    before: change.before,
    after: change.after,
    unknown: shapeOf(change.after_unknown, (leaf) => leaf === true),
    replacePaths: (change.replace_paths ?? []).map((path) => path.join(".")),
  };
}

/** Without what is not known, as the CLI prints it; elements of lists become null. */
function known(data: unknown): unknown {
  if (Array.isArray(data)) return data.map((element: unknown) => known(element) ?? null);
  if (typeof data !== "object" || data === null) return isUnknown(data) ? undefined : data;
  return Object.fromEntries(Object.entries(data).map(([name, part]) => [name, known(part)]));
}

/** Where in some data the leaves are that are looked for: true there, nothing where there are none below. */
function shapeOf(data: unknown, isWanted: (leaf: unknown) => boolean): unknown {
  if (isWanted(data)) return true;
  if (typeof data !== "object" || data === null) return undefined;
  const parts = Object.entries(data).map(([name, part]) => [name, shapeOf(part, isWanted)] as const);
  const wanted = parts.filter(([, shape]) => shape !== undefined);
  return wanted.length === 0 ? undefined : Object.fromEntries(wanted);
}

function asJson(data: unknown): unknown {
  return data === undefined || data === null ? undefined : (JSON.parse(JSON.stringify(data)) as unknown);
}

/** That there is such a moment is compared all the same. */
function withoutMoments(said: unknown, { momentary = [] }: Life): unknown {
  return JSON.parse(
    JSON.stringify(said ?? null, (name, value: unknown) => (momentary.includes(name) && value !== true ? typeof value : value)),
  ) as unknown;
}
