// SPDX-License-Identifier: Apache-2.0
import { hasErrors } from "@tenon/schema";
import {
  applyChange,
  destroyStep,
  planDestroy,
  resourceType,
  type ApplyOutcome,
  type PlannedChange,
  type ResourceType,
} from "@tenon/schema/lifecycle";
import { formatProviderConfig } from "../address/provider-config.ts";
import { formatResourceInstance, type ResourceInstanceObject } from "../address/resource.ts";
import type { ResourceChange } from "../change/planned-changes.ts";
import { declaredBlock } from "../configuration/configuration.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import { withPathMarks } from "../marks/object-marks.ts";
import { recordOf, stateObjectOf } from "../plan/stored-resource.ts";
import type { StateObject } from "../state/state-object.ts";
import { settleProvider } from "../walk/settle-provider.ts";
import type { Step } from "./step.ts";
import type { ApplyRun } from "./apply-run.ts";

/** Destroys an object, once the steps before it have ended. */
export async function applyDestruction(run: ApplyRun, step: Step): Promise<void> {
  await run.steps.waitForAllOf(step.after);
  const { state, walk } = run;
  const { change } = step;
  const { instance } = change.address;
  const deposed = change.address.deposed ?? (change.action === "createThenDelete" ? state.deposedKeyOf(instance) : undefined);
  const object: ResourceInstanceObject = { instance, ...(deposed !== undefined && { deposed }) };
  const stored = state.object(object);
  if (change.action === "createThenDelete" && deposed === undefined) return;
  if (instance.resource.mode === "data") state.remove(object);
  if (stored === undefined || change.planned === undefined) return;
  const configured = await walk.providers.configuredProvider(change.provider);
  const provider = walk.providers.providerFor(instance, change.provider, configured.provider);
  const type = await resourceType(provider, instance.resource.type, { providerAddress: formatProviderConfig(change.provider.config) });
  const destruction = change.planned.action === "delete" ? change.planned : destroyStep(change.planned);
  const outcome = await run.concurrency.run(async () => {
    const planned = deposed === undefined ? destruction : await planAgain(run, change, type, destruction);
    return destroyObject(run, { object, stored, change, type, planned });
  });
  if (outcome.object === undefined) state.remove(object);
  else state.set(object, stateObjectOf(type, outcome.object, recordOf(stored)), change.provider);
  await state.flush();
  settleProvider(walk, { text: formatResourceInstance(instance) }, outcome.diagnostics, undefined);
}

/**
 * Lets the provider plan the destruction of a deposed object again.
 *
 * @throws UpstreamError if the provider refuses it.
 * @see OpenTofu node_resource_deposed.go, NodeDestroyDeposedResourceInstanceObject.Execute
 */
async function planAgain(run: ApplyRun, change: ResourceChange, type: ResourceType, { prior }: PlannedChange): Promise<PlannedChange> {
  run.checkStopped();
  const { instance } = change.address;
  const text = formatResourceInstance(instance);
  const meta = await run.walk.providers.providerMeta(instance, change.provider.config.provider);
  const { planned, diagnostics } = await planDestroy(type, prior!, { address: text, ...meta, ...run.signal });
  settleProvider(run.walk, { text }, diagnostics, declaredBlock(run.input.configuration, instance)?.config);
  if (planned === undefined) throw new UpstreamError();
  return planned;
}

/** An object that is about to be destroyed. */
interface Destruction {
  readonly object: ResourceInstanceObject;
  readonly stored: StateObject;
  readonly change: ResourceChange;
  readonly type: ResourceType;
  readonly planned: PlannedChange;
}

/** Runs the provisioners of an object, and lets the provider destroy it. */
async function destroyObject(run: ApplyRun, { object, stored, change, type, planned }: Destruction): Promise<ApplyOutcome> {
  run.checkStopped();
  const { instance } = object;
  const progress = run.progress(object, "delete", change);
  let isBegun = false;
  progress.start();
  try {
    const before = withPathMarks(change.before, change.beforeMarks);
    // As in OpenTofu, provisioners run for the current object of an instance, not for one that a creation before destruction has replaced.
    if (stored.status !== "tainted" && object.deposed === undefined) await run.provisioners.runBeforeDestruction(instance, before);
    const meta = await run.walk.providers.providerMeta(instance, change.provider.config.provider);
    await run.beginChange(object, "delete", change);
    isBegun = true;
    const destroyed = await applyChange(type, planned, { address: formatResourceInstance(instance), ...meta, ...run.signal });
    progress.end(hasErrors(destroyed.diagnostics) ? "failed" : "applied", destroyed.object?.value);
    return destroyed;
  } catch (error) {
    if (isBegun) run.endFailedChange(object, error);
    throw error;
  } finally {
    progress.end("failed", change.before);
  }
}
