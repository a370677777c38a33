// SPDX-License-Identifier: Apache-2.0
import { unknown, type Value } from "@tenon/cty";
import { hasErrors, impliedType } from "@tenon/schema";
import { formatInModulePath } from "../address/module.ts";
import { reportError, reportWarning } from "../configuration/report.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import { Semaphore } from "../provider/semaphore.ts";
import { createFunctionTable } from "../functions/table.ts";
import { markedValue } from "../plan/stored-resource.ts";
import type { CheckResult } from "../state/check-result.ts";
import type { State } from "../state/state.ts";
import { OpenEphemeralResources } from "../walk/ephemeral-instance.ts";
import { evaluateCheckBlocks } from "../walk/check-blocks.ts";
import type { InstanceNode } from "../walk/instance-node.ts";
import { ResourceWalk, type WalkOptions } from "../walk/resource-walk.ts";
import { applyDataInstance } from "./apply-data.ts";
import { applyDestruction } from "./apply-destruction.ts";
import { applyManagedInstance } from "./apply-managed.ts";
import { applySteps, resolveCycles } from "./apply-order.ts";
import { applyOutputs, applyRefreshedOutputs, removeOutputs } from "./apply-outputs.ts";
import { ApplyRun, type ApplyInput } from "./apply-run.ts";
import { StepRunner } from "./step-runner.ts";

/** The state and the diagnostics of an apply that is complete or ended with errors. */
export interface AppliedChanges {
  readonly state: State;
  readonly diagnostics: readonly AddressedDiagnostic[];
  readonly errored: boolean;
}

/**
 * Makes the changes of a plan. After a change fails, the changes that depend on it are left out, and all others are made. The returned state
 * records what exists, also after errors.
 *
 * @see OpenTofu context_apply.go
 */
export async function applyPlan(input: ApplyInput): Promise<AppliedChanges> {
  const { planned, emit, isPartial } = input;
  const steps = applySteps(planned.resources, planned.priorState);
  const cycle = resolveCycles(steps);
  const concurrency = new Semaphore(input.pool.parallelism);
  const walk: ResourceWalk = new ResourceWalk({
    ...walkOptionsOf(input),
    concurrency,
    instance: (node) => applyInstance(run, ephemeral, node),
  });
  const ephemeral = new OpenEphemeralResources(() => walk, emit);
  const runner = new StepRunner(steps, {
    put: ({ change }) => walk.instance(change.address.instance),
    destroy: (step) => walk.guarded(step.id, () => applyDestruction(run, step)),
  });
  const run = new ApplyRun(input, { walk, steps: runner, concurrency });
  if (cycle !== undefined) reportError(run.report, `Cycle: ${cycle.map(({ id }) => id).join(", ")}`, "");
  else {
    try {
      if (planned.mode === "refreshOnly") await applyRefresh(run);
      else if (planned.mode === "destroy") await destroyAll(run);
      else await applyChanges(run);
    } finally {
      await ephemeral.close();
    }
    if (isPartial) reportWarning(run.report, "Applied changes may be incomplete", incomplete);
  }
  return { state: run.state.finish(), diagnostics: run.report, errored: hasErrors(run.report) };
}

function walkOptionsOf(input: ApplyInput): Omit<WalkOptions, "instance"> {
  const { planned, isPartial } = input;
  const isPlanned = (check: string): boolean =>
    planned.checks.some(({ address, objects }) => address === check && objects !== undefined && objects.length > 0);
  return {
    configuration: input.configuration,
    functions: createFunctionTable(input.environment, { planTime: planned.timestamp }),
    variables: input.variables,
    workspace: input.workspace,
    workingFolder: input.workingFolder,
    isApplying: true,
    conditionsWarn: false,
    pool: input.pool,
    report: [],
    // Targets can exclude a check. Which other objects are included follows from the planned changes.
    includes: (path, local) => !isPartial || !local.startsWith("check.") || isPlanned(formatInModulePath(path, local)),
  };
}

async function applyChanges(run: ApplyRun): Promise<void> {
  const { input, walk, steps, state } = run;
  forgetObjects(run);
  // Only the planned changes of a partial plan are made, without the walk through the whole configuration.
  const walked = input.isPartial ? steps.putAll() : walk.evaluateAll();
  // Wait for both even if one of them fails, because no step may continue after the apply has ended.
  const [succeeded, destroyed] = await Promise.all([walked, steps.destroyAll()]);
  await evaluateCheckBlocks(walk, { readsData: succeeded && destroyed });
  await applyOutputs(run);
  state.setCheckResults(input.planned.checks.length === 0 ? undefined : checkResults(run));
}

async function destroyAll(run: ApplyRun): Promise<void> {
  forgetObjects(run);
  await run.steps.destroyAll();
  removeOutputs(run);
  const { checks } = run.input.planned;
  run.state.setCheckResults(checks.length === 0 ? undefined : checks);
}

/** Records what a refresh-only plan found. Nothing is asked of the providers again, but conditions of outputs and checks are. */
async function applyRefresh(run: ApplyRun): Promise<void> {
  await applyRefreshedOutputs(run);
  await evaluateCheckBlocks(run.walk);
  const { checks } = run.input.planned;
  run.state.setCheckResults(checks.length === 0 ? undefined : checks);
}

/** Removes the objects that the plan forgets from the state. */
function forgetObjects({ input, state }: ApplyRun): void {
  for (const { action, address } of input.planned.resources) {
    if (action === "forget") state.remove(address);
  }
}

/** The results of all checks. Blocks whose objects errors left unknown have those of the plan. */
function checkResults({ input, walk }: ApplyRun): readonly CheckResult[] {
  const planned = new Map(input.planned.checks.map((one) => [one.address, one.objects]));
  return walk.checks.results().map((result) => {
    const objects = result.objects ?? planned.get(result.address);
    if (objects === undefined || result.objects !== undefined) return result;
    return { ...result, objects: objects.map(({ address }) => ({ address, status: "unknown", failureMessages: [] })) };
  });
}

/** Makes the change of an instance. Returns the value, with marks, that references to it get; undefined if it has no object. */
async function applyInstance(run: ApplyRun, ephemeral: OpenEphemeralResources, node: InstanceNode): Promise<Value | undefined> {
  const { mode } = node.block.address;
  if (mode === "ephemeral") return ephemeral.open(node, () => false, run.input.signal);
  if (run.input.planned.mode === "refreshOnly") return recordedValue(run, node);
  const change = run.changeOf(node.text);
  if (mode === "data") return change === undefined ? recordedValue(run, node) : applyDataInstance(run, node, change);
  // A provider configuration may refer to an object that is destroyed, which then exists until all objects of that provider are destroyed.
  if (change?.action === "delete" || change?.action === "forget") return recordedValue(run, node);
  if (change === undefined || change.action === "noOp") return unchangedValue(run, node);
  return applyManagedInstance(run, node, change);
}

/** The value of an object that does not change. Its conditions are checked again. */
async function unchangedValue(run: ApplyRun, node: InstanceNode): Promise<Value | undefined> {
  if (run.isDeferred(node.text)) return recordedValue(run, node);
  const { walk, state } = run;
  const schema = await walk.providers.resourceSchema(node.block);
  const stored = state.object({ instance: node.address });
  if (stored === undefined) return undefined;
  await walk.checkRules(node, "Resource precondition");
  const value = markedValue(schema, stored);
  await walk.checkRules(node, "Resource postcondition", value);
  return value;
}

/** The value of an object in the state. An object that the state lacks is unknown if everything is destroyed. */
async function recordedValue({ input, walk, state }: ApplyRun, node: InstanceNode): Promise<Value | undefined> {
  const schema = await walk.providers.resourceSchema(node.block);
  const stored = state.object({ instance: node.address });
  if (stored !== undefined) return markedValue(schema, stored);
  return input.planned.mode === "destroy" ? unknown(impliedType(schema)) : undefined;
}

const incomplete = `The plan was created with the -target or the -exclude option in effect, so some changes requested in the configuration may have been ignored and the output values may not be fully updated. Run the following command to verify that no other changes are pending:
    tofu plan
	
Note that the -target and -exclude options are not suitable for routine use, and are provided only for exceptional situations such as recovering from errors or mistakes, or when OpenTofu specifically suggests to use it as part of an error message.`;
