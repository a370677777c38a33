// SPDX-License-Identifier: Apache-2.0
import { nullOf, same, unknown, unmarkDeep, type Value } from "@tenon/cty";
import { unmarkDeepWithPaths, type PathMarks } from "@tenon/cty/paths";
import { hasErrors, impliedType, type Diagnostic } from "@tenon/schema";
import { applyChange, createStep, replanChange, type ApplyOutcome, type PlannedChange, type ResourceType } from "@tenon/schema/lifecycle";
import type { ResourceInstanceObject } from "../address/resource.ts";
import type { ResourceChange } from "../change/planned-changes.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import { combineMarks, sameSensitivity, schemaMarks, sensitivePathsOf, withPathMarks } from "../marks/object-marks.ts";
import { withIgnoredChanges } from "../plan/ignore-changes.ts";
import { stateObjectOf } from "../plan/stored-resource.ts";
import { waitForExplicitDependencies } from "../walk/dependency-waits.ts";
import type { InstanceNode } from "../walk/instance-node.ts";
import { settleProvider } from "../walk/settle-provider.ts";
import type { ApplyRun } from "./apply-run.ts";
import type { StepProgress } from "./step-progress.ts";

/** The creation or update of an instance. */
interface InstanceStep {
  readonly node: InstanceNode;
  readonly change: ResourceChange;
  readonly type: ResourceType;
  readonly progress: StepProgress;
  /** Called when the request for the change is about to be sent. */
  readonly onStart: () => void;
}

/**
 * Creates or updates an object, once the steps before it have ended. Returns the value, with marks, that references to the instance get.
 */
export async function applyManagedInstance(run: ApplyRun, node: InstanceNode, change: ResourceChange): Promise<Value> {
  const { walk, steps } = run;
  const { scope, block } = node;
  const { type } = await walk.providers.resourceType(node);
  const explicit = waitForExplicitDependencies(walk, scope, block);
  if (explicit !== undefined) await explicit;
  const earlier = steps.waitForStepsBefore(node.text);
  if (earlier !== undefined) await earlier;
  const decoded = await scope.decode(block.config, type.schema.block, node.data, { address: node.text });
  const dependencies = steps.waitForDependencies(change);
  if (dependencies !== undefined) await dependencies;
  const preconditions = walk.checkRules(node, "Resource precondition");
  if (preconditions !== undefined) await preconditions;
  scope.settle(undefined, decoded.diagnostics);
  const [config] = unmarkDeep(decoded.value);
  const ignored = block.managed?.ignoreChanges ?? { all: false, paths: [] };
  const isCreated = plannedStep(change).action === "create";
  // A new object takes over nothing of the one that it replaces.
  const before = isCreated ? nullOf(change.before.type) : withPathMarks(change.before, change.beforeMarks);
  const [, configMarks] = unmarkDeepWithPaths(withIgnoredChanges(ignored, before, decoded.value, type.schema.block));
  const progress = run.progress({ instance: node.address }, isCreated ? "create" : "update", change);
  const onStart = (): void => {
    progress.start();
    // OpenTofu evaluates the configuration twice: for a second plan, and for the change, whose diagnostics do not have the address.
    scope.settle(
      undefined,
      decoded.diagnostics.map(({ address: _address, ...one }) => one),
    );
  };
  const step: InstanceStep = { node, change, type, progress, onStart };
  let value: Value | undefined;
  try {
    const outcome = await run.concurrency.run(() => createOrUpdate(run, step, config, configMarks));
    value = outcome.object?.value;
    return await saveOutcome(run, step, outcome, configMarks);
  } finally {
    progress.end("failed", value);
  }
}

/** Lets the provider create or update an object. */
async function createOrUpdate(
  run: ApplyRun,
  { node, change, type, onStart }: InstanceStep,
  config: Value,
  configMarks: readonly PathMarks[],
): Promise<ApplyOutcome> {
  run.checkStopped();
  const { state, walk } = run;
  const { address, text, block } = node;
  const object: ResourceInstanceObject = { instance: address };
  const planned = plannedStep(change);
  const metaOfModule = walk.providers.providerMeta(address, change.provider.config.provider);
  const meta = metaOfModule && (await metaOfModule);
  const deposed = change.action === "createThenDelete" ? state.depose(address) : undefined;
  if (change.action === "forgetThenCreate") state.remove(object);
  const ignored = block.managed?.ignoreChanges ?? { all: false, paths: [] };
  const planOptions = {
    address: text,
    config,
    configValidated: change.validatedConfig !== undefined && same(change.validatedConfig, config),
    markSensitive: (value: Value, of: "plan" | "final") => withPathMarks(value, of === "plan" ? change.afterMarks : configMarks),
    ignoreChanges: (before: Value, value: Value, of: "config" | "planned") =>
      withIgnoredChanges(ignored, before, value, of === "config" ? type.schema.block : undefined),
    ...meta,
    ...run.signal,
  };
  // Only the sensitivity of values changes, so the provider has nothing to do but to plan again.
  if (planned.action === "noOp") {
    const { diagnostics } = await replanChange(type, planned, planOptions);
    return { status: "notSent", object: planned.prior!, diagnostics };
  }
  const action = planned.action === "create" ? "create" : "update";
  let isBegun = false;
  try {
    await run.beginChange(object, action, change);
    isBegun = true;
    const outcome = await applyChange(type, planned, {
      ...planOptions,
      replan: true,
      // The second plan may find that there is no change, or that the change is not possible.
      observer: { onPhase: (phase) => void ((phase === "create" || phase === "update") && onStart()) },
    });
    if (outcome.object === undefined && deposed !== undefined) state.restore(address, deposed);
    return outcome;
  } catch (error) {
    if (deposed !== undefined) state.restore(address, deposed);
    if (isBegun) run.endFailedChange(object, error);
    throw error;
  }
}

/** Sets the object that a provider returned in the state, runs its provisioners and checks its postconditions. */
async function saveOutcome(
  run: ApplyRun,
  { node, change, type, progress, onStart }: InstanceStep,
  { status, object, diagnostics }: ApplyOutcome,
  configMarks: readonly PathMarks[],
): Promise<Value> {
  const { state, walk, provisioners } = run;
  const address: ResourceInstanceObject = { instance: node.address };
  if (object === undefined) {
    if (change.action === "createThenDelete") state.end(address);
    else state.remove(address);
    await reportFailure(run, node, diagnostics, status === "failed" ? unknown(impliedType(type.schema.block)) : undefined);
    throw new UpstreamError();
  }
  const marks = combineMarks(configMarks, schemaMarks(type.schema.block, object.value));
  const { createBeforeDestroy } = change;
  const dependencies = run.recordedDependencies(change);
  // As in OpenTofu, a failed change does not record the argument of its configuration.
  const skipDestroy = hasErrors(diagnostics) ? state.object(address)?.skipDestroy === true : change.skipDestroy;
  const record = { sensitivePaths: sensitivePathsOf(object.value, marks), dependencies, createBeforeDestroy, skipDestroy };
  const stored = stateObjectOf(type, object, record);
  const isProvisioned = change.action !== "update" && provisioners.hasCreationProvisioners(node);
  const recorded = state.object(address)?.sensitivePaths ?? [];
  const isKept = status === "notSent" && (hasErrors(diagnostics) || sameSensitivity(record.sensitivePaths, recorded));
  // Only the sensitivity of values has changed.
  if (status === "notSent" && !isKept) onStart();
  // An object that needs no change after all keeps what the state records about it, such as its dependencies.
  if (isKept) state.end(address);
  else if (isProvisioned) state.setUnprovisioned(address, stored, change.provider);
  else state.set(address, stored, change.provider);
  const flushed = state.flush();
  if (flushed !== undefined) await flushed;
  const value = withPathMarks(object.value, marks);
  if (hasErrors(diagnostics)) await reportFailure(run, node, diagnostics, status === "notSent" ? undefined : value);
  settleProvider(walk, node, diagnostics, node.block.config);
  if (isProvisioned) {
    const succeeded = await provisioners.runAfterCreation(node, value);
    // An object whose provisioner failed exists, but the next plan replaces it.
    state.set(address, succeeded ? stored : { ...stored, status: "tainted" }, change.provider);
    await state.flush();
    if (!succeeded) {
      await checkAfterFailure(run, node, value);
      throw new UpstreamError([]);
    }
  }
  progress.end("applied", object.value, marks);
  const postconditions = walk.checkRules(node, "Resource postcondition", value);
  if (postconditions !== undefined) await postconditions;
  return value;
}

/**
 * Reports that a change failed.
 *
 * @param value The value of which the postconditions are checked. Absent: the provider received no request to change anything.
 * @throws UpstreamError
 */
async function reportFailure(
  run: ApplyRun,
  node: InstanceNode,
  diagnostics: readonly Diagnostic[],
  value: Value | undefined,
): Promise<void> {
  if (value !== undefined) await checkAfterFailure(run, node, value);
  settleProvider(run.walk, node, diagnostics, node.block.config);
}

/** Checks the postconditions of an object whose change failed, as OpenTofu does. */
async function checkAfterFailure({ walk }: ApplyRun, node: InstanceNode, value: Value): Promise<void> {
  try {
    await walk.checkRules(node, "Resource postcondition", value);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
  }
}

/** The planned creation or update of a change. For a replacement it is the second step, the creation. */
function plannedStep({ planned }: ResourceChange): PlannedChange {
  return planned!.action === "replace" ? createStep(planned!) : planned!;
}
