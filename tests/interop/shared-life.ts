// SPDX-License-Identifier: Apache-2.0
// The life of one resource of a Go provider, led by our client and by OpenTofu with the same configuration.
import { dirname } from "node:path";
import { isUnknown, openProvider, type ResourceHandle, type ResourcePlan } from "@tenon/plugin-host";
import type { ExpectStatic } from "vitest";
import { CliWorkspace, type ResourceChangeJson } from "./cli-workspace.ts";

export type Config = Readonly<Record<string, unknown>>;

/** What is done to one resource, stage after stage; at last it is destroyed. */
export interface Life {
  readonly typeName: string;
  readonly stages: readonly Config[];
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
  for (const [index, config] of [...life.stages, undefined].entries()) {
    const resource = config === undefined ? {} : { resource: { [life.typeName]: { it: config } } };
    workspace.write({ "main.tf.json": JSON.stringify({ ...provider, ...resource }) });
    const [change] = (await workspace.plan()).resource_changes ?? [];
    if (handle) handle = await resources.read(handle);
    const plan = config === undefined ? await resources.planDelete(handle!) : await resources.plan(config, { prior: handle });
    expect(oursOf(plan), `plan ${index + 1}`).toEqual(theirsOf(change!));
    await workspace.must(["apply", "-input=false", "plan.bin"]);
    handle = await plan.apply();
    const [recorded] = (await workspace.state()).values?.root_module.resources ?? [];
    expect(asJson(handle?.state), `state ${index + 1}`).toEqual(recorded?.values);
  }
  expect(handle).toBeUndefined();
}

const actions = { noOp: ["no-op"], create: ["create"], update: ["update"], replace: ["delete", "create"], delete: ["delete"] };

function oursOf(plan: ResourcePlan): unknown {
  return {
    actions: actions[plan.action],
    before: asJson(plan.before) ?? null,
    after: asJson(known(plan.after)) ?? null,
    replacePaths: plan.requiresReplace,
  };
}

function theirsOf({ change }: ResourceChangeJson): unknown {
  const replacePaths = (change.replace_paths ?? []).map((path) => path.join("."));
  return { actions: change.actions, before: change.before, after: change.after, replacePaths };
}

/** Without what is not known, as the CLI prints it; elements of lists become null. */
function known(data: unknown): unknown {
  if (Array.isArray(data)) return data.map((element: unknown) => known(element) ?? null);
  if (typeof data !== "object" || data === null) return isUnknown(data) ? undefined : data;
  return Object.fromEntries(Object.entries(data).map(([name, part]) => [name, known(part)]));
}

function asJson(data: unknown): unknown {
  return data === undefined || data === null ? undefined : (JSON.parse(JSON.stringify(data)) as unknown);
}
