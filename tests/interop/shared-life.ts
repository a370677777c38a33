// SPDX-License-Identifier: Apache-2.0
// Compares our client with OpenTofu: both run the lifecycle of one resource of a Go provider with the same configuration.
import { dirname } from "node:path";
import { isUnknown, openProvider, PluginHostError, type ResourceHandle, type ResourcePlan } from "@tenon/plugin-host";
import type { ExpectStatic } from "vitest";
import { CliWorkspace, type ResourceChangeJson } from "./cli-workspace.ts";

/** A configuration in JavaScript. */
export type Config = Readonly<Record<string, unknown>>;

/** One plan and apply. */
export interface Stage {
  /** The configuration; `unknownValue` stands for a value that is known only after apply. */
  readonly config: Config;
  /** The known value that replaces `unknownValue` in the apply. */
  readonly later?: string;
  /** Id of an existing object to import. */
  readonly imports?: string;
  /** Changes objects outside the provider before the stage; called with each provider configuration. */
  readonly meanwhile?: (provider: Config) => void;
  /** Whether the apply fails; both sides then keep the remaining object. */
  readonly fails?: boolean;
}

/** Stages of one resource's lifecycle; after the last stage, the resource is destroyed. */
export interface Life {
  readonly typeName: string;
  readonly stages: readonly Stage[];
  /** Attributes with times, which differ between the two sides. */
  readonly momentary?: readonly string[];
}

/** Arguments of `leadBoth`. */
export interface SharedLife {
  readonly tofu: string;
  /** Path of the provider. */
  readonly provider: string;
  /** Type of the provider, as in its source address. */
  readonly name: string;
  readonly life: Life;
  /** Provider configuration for our client. */
  readonly ours: Config;
  /** Provider configuration for OpenTofu. */
  readonly theirs: Config;
  readonly expect: ExpectStatic;
}

/** Runs the lifecycle with both, and expects every plan and every state of our client to equal OpenTofu's. */
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
    expect(withoutTimes(oursOf(plan), life), `plan ${index + 1}`).toEqual(withoutTimes(theirsOf(change!), life));

    const { code, stderr } = await workspace.run(["apply", "-input=false", "-no-color", "plan.bin"]);
    expect(code, `apply ${index + 1}: ${stderr}`).toBe(stage?.fails ? 1 : 0);
    handle = await applied(plan, stage);
    const recorded = (await workspace.state()).values?.root_module.resources?.find(({ address }) => address === `${life.typeName}.it`);
    const [our, their] = [asJson(handle?.state), recorded?.values].map((state) => withoutTimes(state, life));
    expect([our, handle?.status === "tainted"], `state ${index + 1}`).toEqual([their, recorded?.tainted === true]);
  }
  expect(handle).toBeUndefined();
}

/** Writes a stage as a configuration in JSON; an unknown value refers to an output of another resource. */
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

/** Replaces the unknown values in a configuration. */
function revealed(data: unknown, later: string): unknown {
  if (isUnknown(data)) return later;
  if (Array.isArray(data)) return data.map((element: unknown) => revealed(element, later));
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, part]) => [name, revealed(part, later)]));
}

/** A plan in a form that both sides have. */
interface ComparedPlan {
  readonly actions: readonly string[];
  readonly reason: string | undefined;
  readonly before: unknown;
  readonly after: unknown;
  /** True at unknown values; undefined if all values are known. */
  readonly unknown: unknown;
  readonly replacePaths: readonly string[];
}

const actions = { noOp: ["no-op"], create: ["create"], update: ["update"], replace: ["delete", "create"], delete: ["delete"] };

function oursOf(plan: ResourcePlan): ComparedPlan {
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

function theirsOf({ change, action_reason: reason = "" }: ResourceChangeJson): ComparedPlan {
  return {
    actions: change.actions,
    reason: reasons[reason],
    before: change.before,
    after: change.after,
    unknown: shapeOf(change.after_unknown, (leaf) => leaf === true),
    replacePaths: (change.replace_paths ?? []).map((path) => path.join(".")),
  };
}

/** Removes unknown values, as the CLI does; unknown elements of lists become null. */
function known(data: unknown): unknown {
  if (Array.isArray(data)) return data.map((element: unknown) => known(element) ?? null);
  if (typeof data !== "object" || data === null) return isUnknown(data) ? undefined : data;
  return Object.fromEntries(Object.entries(data).map(([name, part]) => [name, known(part)]));
}

/** Returns the positions of the wanted leaves: true at each leaf, undefined for data without any. */
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

/** Replaces each time by the type of its value, so that only its presence is compared. */
function withoutTimes(data: unknown, { momentary = [] }: Life): unknown {
  return JSON.parse(
    JSON.stringify(data ?? null, (name, value: unknown) => (momentary.includes(name) && value !== true ? typeof value : value)),
  ) as unknown;
}
