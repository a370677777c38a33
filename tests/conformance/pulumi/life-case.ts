// SPDX-License-Identifier: Apache-2.0
import type { ResourceMapping } from "@tenon/bridge/pulumi";
import type { Value } from "@tenon/cty";
import { hasErrors, type Diagnostic } from "@tenon/schema";
import {
  applyChange,
  encodeObject,
  planChange,
  storedObject,
  upgradeObject,
  type ResourceObject,
  type ResourceType,
} from "@tenon/schema/lifecycle";
import { DiffResponse_DiffChanges as Changes } from "@tenon/protocol/pulumi";
import { compare, difference, type LifeEnd, settled } from "./life-comparison.ts";
import { comparable, expectedOutputs, propertiesOf } from "./life-values.ts";
import type { PluginProcess } from "./plugin-process.ts";
import type { RecordedRequest } from "./recording-provider.ts";

/** One resource, and the configurations of its life. */
export interface LifeCase {
  readonly resource: ResourceMapping;
  readonly type: ResourceType;
  readonly first: Value;
  readonly second: Value;
  /** Whether the second configuration has unknown values, so that the change is only planned. */
  readonly isPreview: boolean;
}

/** Both ways to the provider, with the requests that it received since the last look. */
export interface LifeWays {
  readonly plugin: PluginProcess;
  readonly takeTheirs: () => readonly RecordedRequest[];
  /** Waits until the plugin's messages have arrived. */
  readonly takeOurs: () => Promise<readonly RecordedRequest[]>;
}

/**
 * Leads a resource through creation and change, as a core does and through the bridge.
 *
 * @throws LifeDifference where the provider receives other values, or the results differ.
 */
export async function compareLives(ways: LifeWays, given: LifeCase): Promise<LifeEnd> {
  const { resource, type, first: config } = given;
  const { calls } = ways.plugin;
  const urn = `urn:pulumi:dev::project::${resource.token}::r`;
  const randomSeed = new Uint8Array(32);
  ways.takeTheirs();
  await ways.takeOurs();

  const planned = await planChange(type, { config });
  const properties = propertiesOf(resource.object, config) as never;
  const checked = await calls.check({ urn, news: properties, randomSeed });
  const isRefused = planned.planned === undefined || hasErrors(planned.diagnostics);
  if (isRefused && checked.failures.length > 0) return "refused";
  if (checked.failures.length > 0)
    throw difference(
      "check",
      "no failures",
      checked.failures.map(({ reason }) => reason),
    );
  const created = await settled(calls.create({ urn, properties: checked.inputs! }));
  const applied = isRefused ? undefined : await applyChange(type, planned.planned!, { config });
  await compareRequests(ways, "create", ["planResourceChange", "applyResourceChange"]);
  const theirErrors = errorsOf([...planned.diagnostics, ...(applied?.diagnostics ?? [])]);
  if (theirErrors.length > 0 || "error" in created) {
    if (!("error" in created) || theirErrors.length === 0) throw difference("create", theirErrors, created);
    return "refused";
  }
  const object = applied!.object!;
  compare("outputs of the create", expectedOutputs(resource.object, object.value), comparable(created.value.properties, resource.object));
  return await compareChanges(ways, given, {
    urn,
    object,
    id: created.value.id,
    olds: created.value.properties!,
    oldInputs: checked.inputs!,
  });
}

interface Existing {
  readonly urn: string;
  readonly object: ResourceObject;
  readonly id: string;
  readonly olds: Readonly<Record<string, unknown>>;
  readonly oldInputs: Readonly<Record<string, unknown>>;
}

async function compareChanges(
  ways: LifeWays,
  { resource, type, second: config, isPreview }: LifeCase,
  existing: Existing,
): Promise<LifeEnd> {
  const { calls } = ways.plugin;
  const { urn, id, olds, oldInputs } = existing;
  // Between two runs, a core stores the object and has the provider upgrade it.
  const { object } = await upgradeObject(type, storedObject(encodeObject(type, existing.object)));
  if (object === undefined) return "refused";
  const planned = await planChange(type, { prior: object, config });
  const isRefused = planned.planned === undefined || hasErrors(planned.diagnostics);
  const news = propertiesOf(resource.object, config) as never;
  const checked = await calls.check({ urn, olds: oldInputs as never, news, randomSeed: new Uint8Array(32) });
  if (isRefused && checked.failures.length > 0) return "refused";
  if (checked.failures.length > 0)
    throw difference(
      "check of the change",
      "no failures",
      checked.failures.map(({ reason }) => reason),
    );
  const change = { urn, id, olds: olds as never, oldInputs: oldInputs as never, news: checked.inputs! };
  const diff = await settled(calls.diff(change));
  await compareRequests(ways, "diff", ["upgradeResourceState", "planResourceChange"]);
  if (isRefused || "error" in diff) {
    if (!isRefused || !("error" in diff)) throw difference("diff", errorsOf(planned.diagnostics), diff);
    return "refused";
  }
  const { action, after } = planned.planned!;
  const isReplacement = diff.value.replaces.length > 0;
  compare("action", action, diff.value.changes === Changes.DIFF_NONE ? "noOp" : isReplacement ? "replace" : "update");
  if (action === "noOp") return "no change";
  const preview = isReplacement
    ? await calls.create({ urn, properties: checked.inputs!, preview: true })
    : await calls.update({ ...change, preview: true });
  compare("planned properties", expectedOutputs(resource.object, after), comparable(preview.properties, resource.object));
  await ways.takeOurs();
  if (isPreview || isReplacement) return isReplacement ? "replace" : "planned";
  const updated = await settled(calls.update(change));
  ways.takeTheirs();
  const applied = await applyChange(type, planned.planned!, { config });
  await compareRequests(ways, "update", ["applyResourceChange"]);
  const theirErrors = errorsOf(applied.diagnostics);
  if (theirErrors.length > 0 || "error" in updated) {
    if (!("error" in updated) || theirErrors.length === 0) throw difference("update", theirErrors, updated);
    return "refused";
  }
  compare(
    "outputs of the update",
    expectedOutputs(resource.object, applied.object!.value),
    comparable(updated.value.properties, resource.object),
  );
  return "update";
}

/** Compares the requests of some calls. Repeated ones count once: the bridge plans again what it was asked to preview. */
async function compareRequests(ways: LifeWays, step: string, calls: readonly string[]): Promise<void> {
  const distinct = (requests: readonly RecordedRequest[]): readonly string[] => [
    ...new Set(requests.filter(({ call }) => calls.includes(call)).map((request) => JSON.stringify(request))),
  ];
  compare(`requests of the ${step}`, distinct(ways.takeTheirs()), distinct(await ways.takeOurs()));
}

function errorsOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.filter(({ severity }) => severity === "error").map(({ summary }) => summary);
}
