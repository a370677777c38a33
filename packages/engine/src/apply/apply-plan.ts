// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, unknown, type Value } from "@tenon/cty";
import { hasErrors, impliedType } from "@tenon/schema";
import type { InstanceKey } from "../address/instance-key.ts";
import { configResourceOf, isUnknownInstance } from "../address/resource.ts";
import type { ResourceChange } from "../change/planned-changes.ts";
import { reportError, reportWarning } from "../configuration/report.ts";
import { allModules, declaredBlock } from "../configuration/configuration.ts";
import { hasConditions, type ResourceBlock } from "../configuration/resource.ts";
import { Cell, settleAll, UpstreamError } from "../evaluation/cell.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import { Semaphore } from "../provider/semaphore.ts";
import { createFunctionTable } from "../functions/table.ts";
import { withPathMarks } from "../marks/object-marks.ts";
import { isAmong, neededByDestructions } from "../plan/needed-by-destructions.ts";
import { markedValue } from "../plan/stored-resource.ts";
import { isPartial } from "../plan/targeting.ts";
import { recordedValues, unchangedBy, undeclaredValues } from "../plan/undeclared-values.ts";
import type { State } from "../state/state.ts";
import { OpenEphemeralResources } from "../walk/ephemeral-instance.ts";
import { evaluateCheckBlocks } from "../walk/check-blocks.ts";
import { hasSoundDependencies } from "../walk/dependency-waits.ts";
import type { InstanceNode } from "../walk/instance-node.ts";
import { evaluateVariables } from "../walk/module-lookup.ts";
import { ResourceWalk, type WalkOptions } from "../walk/resource-walk.ts";
import { applyDataInstance } from "./apply-data.ts";
import { applyDestruction } from "./apply-destruction.ts";
import { applyManagedInstance } from "./apply-managed.ts";
import { evaluateRetained, needsRetained } from "./evaluate-retained.ts";
import { applyOutputs, applyRefreshedOutputs, removeOutputs } from "./apply-outputs.ts";
import { ApplyRun, type ApplyInput } from "./apply-run.ts";
import { applySelection, isOfCheck, openDemanded } from "./apply-selection.ts";
import { plannedSteps } from "./planned-steps.ts";
import { RetainedBlocks } from "./retained-blocks.ts";
import { soundBlocks } from "./sound-blocks.ts";
import { StepRunner } from "./step-runner.ts";

/** The result of an apply, also of one with errors. */
export interface AppliedChanges {
  readonly state: State;
  readonly diagnostics: readonly AddressedDiagnostic[];
  readonly errored: boolean;
}

/**
 * Makes the changes of a plan. After a change fails, the changes that depend on it are skipped, and all others are made. The returned state
 * has all objects that exist, also after errors.
 *
 * @see OpenTofu context_apply.go
 */
export async function applyPlan(input: ApplyInput): Promise<AppliedChanges> {
  const { planned, emit } = input;
  const retained = new Cell(() => RetainedBlocks.of(input));
  const { steps, cycle, awaited, isDeclared } = await plannedSteps(input, retained);
  const concurrency = new Semaphore(input.pool.parallelism);
  const hasEphemeral = [...allModules(input.configuration)].some(({ module }) => module.ephemeralResources.size > 0);
  const demanded = planned.mode !== "destroy" && hasEphemeral ? (await retained.get()).ephemeralResources() : new Set<string>();
  const isUnchanged = unchangedBy(planned.resources);
  const walk: ResourceWalk = new ResourceWalk({
    ...walkOptionsOf(input),
    concurrency,
    demanded,
    // As in OpenTofu, an apply need not determine the instances of a resource that no change needs.
    recorded: async (scope: ModuleScope, block: ResourceBlock) =>
      (await retained.get()).has(configResourceOf({ module: scope.instance, resource: block.address }))
        ? undefined
        : recordedValues(planned.priorState, walk, scope, block),
    ...(awaited && { awaitsAlone: (resource: string, key: InstanceKey) => awaited.isAlone(resource, key) }),
    ...(planned.mode === "refreshOnly" && {
      undeclared: (scope: ModuleScope, block: ResourceBlock) => undeclaredValues(planned.priorState, walk, scope, block),
    }),
    ...(planned.mode === "normal" &&
      isPartial(input) && {
        undeclared: (scope: ModuleScope, block: ResourceBlock) => undeclaredValues(planned.priorState, walk, scope, block, isUnchanged),
      }),
    instance: (node) => applyInstance(run, ephemeral, node),
  });
  const ephemeral = new OpenEphemeralResources(() => walk, emit);
  const runner: StepRunner = new StepRunner(steps, {
    put: ({ change }) => walk.instance(change.address.instance),
    destroy: (step) => walk.guarded(step.id, () => applyDestruction(run, step)),
  });
  walk.checks.expectPlanned(planned.checks);
  const run: ApplyRun = new ApplyRun(input, { walk, steps: runner, concurrency, isDeclared });
  if (cycle !== undefined) run.report.push(cycle);
  else {
    try {
      if (planned.mode === "refreshOnly") await applyRefresh(run, retained, demanded);
      else if (planned.mode === "destroy") await destroyAll(run, retained);
      else await applyChanges(run, retained, demanded);
    } finally {
      await ephemeral.close();
    }
    if (isPartial(input)) reportWarning(run.report, "Applied changes may be incomplete", incompleteDetail);
  }
  return { state: run.state.finish(), diagnostics: run.report, errored: hasErrors(run.report) };
}

function walkOptionsOf(input: ApplyInput): Omit<WalkOptions, "instance"> {
  const { planned } = input;
  return {
    configuration: input.configuration,
    functions: createFunctionTable(input.environment, { planTime: planned.timestamp }),
    variables: input.variables,
    workspace: input.workspace,
    workingFolder: input.workingFolder,
    isApplying: true,
    conditionsWarn: false,
    plannedOutputs: new Map(planned.outputs.filter(({ after }) => isWhollyKnown(after)).map(({ name, after }) => [name, after])),
    pool: input.pool,
    substitutions: input.substitutions,
    report: [],
    allowsUnknownRepetition: (planned.deferred ?? []).length > 0,
    // What a part of a configuration includes follows from the planned changes.
    includes: () => true,
  };
}

async function applyChanges(run: ApplyRun, retained: Cell<RetainedBlocks>, demanded: ReadonlySet<string>): Promise<void> {
  const { input, walk, steps, state } = run;
  // Found before the first change, so that a provider that cannot be started stops the apply there.
  const ofUnchanged = needsRetained(input) ? await retained.get() : undefined;
  forgetObjects(run);
  const evaluation = isPartial(input) ? applySelection(run, demanded) : walk.evaluateAll();
  // Waits for both even if one of them fails, because no step may continue after the apply has ended.
  const [isEvaluated] = await Promise.all([evaluation, steps.destroyAll()]);
  let isSound = isEvaluated ? () => true : await soundBlocks(run, await retained.get());
  if (ofUnchanged !== undefined && !(await evaluateRetained(run, ofUnchanged, isSound))) isSound = await soundBlocks(run, ofUnchanged);
  const readsData = isEvaluated || (await areObjectsSound(run));
  // Nothing depends on the assertions of a check, so targets and exclusions leave all of them out.
  if (!isPartial(input)) await evaluateCheckBlocks(walk, { readsData, isSound });
  else if (readsData) await steps.putAll((change) => isOfCheck(input.configuration, change));
  await applyOutputs(run, isSound);
  await removeUnneededWarnings(run, retained);
  state.setCheckResults(input.planned.checks.length === 0 ? undefined : walk.checks.results());
}

/**
 * Whether all creations and updates have succeeded, and the conditions of unchanged objects could be checked. The data sources of checks wait
 * for them, and for nothing else.
 *
 * @see OpenTofu transform_check_starter.go
 */
async function areObjectsSound({ input: { configuration, planned }, walk, steps }: ApplyRun): Promise<boolean> {
  const isManaged = ({ address: { instance, deposed } }: ResourceChange): boolean =>
    instance.resource.mode === "managed" && deposed === undefined;
  const checked = planned.resources.filter((change) => {
    if (change.action !== "noOp" || !isManaged(change)) return false;
    const block = declaredBlock(configuration, change.address.instance);
    return block !== undefined && hasConditions(block);
  });
  const results = [steps.putAll(isManaged), settleAll(checked.map(({ address }) => walk.instance(address.instance)))];
  return (await Promise.all(results)).every((isSuccessful) => isSuccessful);
}

/** Removes the warnings of blocks that an apply of OpenTofu does not evaluate, because nothing needs them. */
async function removeUnneededWarnings({ walk, report }: ApplyRun, retained: Cell<RetainedBlocks>): Promise<void> {
  if (!walk.faults.hasWarnings) return;
  const { graph, included } = await retained.get();
  walk.faults.removeUnneededWarnings(graph, report, (node) => node.isRootOutput === true || included.has(node));
}

async function destroyAll(run: ApplyRun, retained: Cell<RetainedBlocks>): Promise<void> {
  await validateRetained(run, retained);
  forgetObjects(run);
  await run.steps.destroyAll();
  if (run.walk.faults.hasWarnings) {
    const { graph } = await retained.get();
    const needed = graph.neededByProviders();
    run.walk.faults.removeUnneededWarnings(graph, run.report, (node) => needed.has(node));
  }
  removeOutputs(run);
  const { checks, resources } = run.input.planned;
  // The instances of resources are no part of the apply, also where variables refer to them.
  for (const { kind, address, objects } of checks) if (kind === "resource" && objects === undefined) run.walk.checks.forgetObjects(address);
  run.state.setCheckResults(checks.length === 0 ? undefined : run.walk.checks.results());
  if (!hasErrors(run.report) && resources.some(({ action }) => action === "forget")) {
    reportError(run.report, "Destroy was successful but left behind forgotten instances", forgottenInstancesDetail);
  }
}

/**
 * Validates the variables that the apply of a destroy plan retains: those on which destructions or the blocks of forgotten objects depend.
 *
 * @see OpenTofu transform_destroy_edge.go, pruneUnusedNodesTransformer
 */
async function validateRetained({ input, walk }: ApplyRun, retained: Cell<RetainedBlocks>): Promise<void> {
  const { checks, resources } = input.planned;
  if (!checks.some(({ kind }) => kind === "var")) return;
  const { graph } = await retained.get();
  const forgotten = resources.filter(({ action }) => action === "forget");
  const nodes = forgotten.flatMap(({ address }) => graph.resource(configResourceOf(address.instance)) ?? []);
  const needed = neededByDestructions(graph, resources).union(new Set(nodes.flatMap((node) => [...graph.ancestors(node)])));
  await evaluateVariables(walk.root, isAmong(graph, needed));
}

/** Records the objects that a refresh-only plan has read, without a call of their providers, and evaluates the conditions of outputs and checks. */
async function applyRefresh(run: ApplyRun, retained: Cell<RetainedBlocks>, demanded: ReadonlySet<string>): Promise<void> {
  await openDemanded(run, demanded);
  await applyRefreshedOutputs(run);
  await evaluateCheckBlocks(run.walk);
  await evaluateRetained(run, await retained.get());
  await removeUnneededWarnings(run, retained);
  const { checks } = run.input.planned;
  run.state.setCheckResults(checks.length === 0 ? undefined : checks);
}

/** Removes the objects that the plan forgets from the state. */
function forgetObjects({ input, state }: ApplyRun): void {
  for (const { action, address } of input.planned.resources) {
    if (action === "forget") state.remove(address);
  }
}

/** Makes the change of an instance. Returns the value, with marks, of references to it; undefined if it has no object. */
async function applyInstance(run: ApplyRun, ephemeral: OpenEphemeralResources, node: InstanceNode): Promise<Value | undefined> {
  const { mode } = node.block.address;
  if (isUnknownInstance(node.address)) return unknown(impliedType(await run.walk.providers.resourceSchema(node.block)));
  if (mode === "ephemeral") return ephemeral.open(node, { signal: run.input.signal });
  if (run.input.planned.mode === "refreshOnly") return recordedValue(run, node);
  const change = run.changeOf(node.text);
  // A provider configuration may refer to an object that is to be destroyed. The object exists until all objects of that provider are destroyed.
  if (change?.action === "delete" || change?.action === "forget") return recordedValue(run, node);
  if (mode === "data") return change === undefined ? recordedValue(run, node) : applyDataInstance(run, node, change);
  if (change === undefined || change.action === "noOp") return await unchangedValue(run, node, change);
  return await applyManagedInstance(run, node, change);
}

/** The value of an object that does not change. Its conditions are checked again. */
async function unchangedValue(run: ApplyRun, node: InstanceNode, change: ResourceChange | undefined): Promise<Value | undefined> {
  if (change === undefined) return recordedValue(run, node);
  const { walk, state, steps } = run;
  const { address, block } = node;
  const schema = await walk.providers.resourceSchema(node.block);
  const stored = state.object({ instance: node.address });
  if (stored === undefined) return undefined;
  const value = markedValue(schema, stored);
  if (!hasConditions(block)) return value;
  // OpenTofu checks the conditions only if nothing that the object depends on has errors.
  if (!(await hasSoundDependencies(walk, address.module, block))) throw new UpstreamError();
  await steps.waitForDependencies(change);
  await walk.checkRules(node, "Resource precondition");
  await walk.checkRules(node, "Resource postcondition", value);
  return value;
}

/**
 * The value of an object in the state. If the state lacks the object, its value is the planned one for a deferred creation, unknown if the plan
 * did not know the instances of its resource or destroys everything, and otherwise undefined.
 */
async function recordedValue(run: ApplyRun, node: InstanceNode): Promise<Value | undefined> {
  const { input, walk, state } = run;
  const schema = await walk.providers.resourceSchema(node.block);
  const stored = state.object({ instance: node.address });
  if (stored !== undefined) return markedValue(schema, stored);
  const deferred = run.deferredChangeOf(node.text);
  if (deferred !== undefined) return withPathMarks(deferred.after, deferred.afterMarks);
  return input.planned.mode === "destroy" || run.isUndecided(node.configText) ? unknown(impliedType(schema)) : undefined;
}

const forgottenInstancesDetail = `As requested, OpenTofu has not deleted some remote objects that are no longer managed by this configuration. Those objects continue to exist in their remote system and so may continue to incur charges. Refer to the original plan for more information.
To suppress this error for the future 'destroy' runs, you can add the CLI flag "-suppress-forget-errors".`;

const incompleteDetail = `The plan was created with the -target or the -exclude option in effect, so some changes requested in the configuration may have been ignored and the output values may not be fully updated. Run the following command to verify that no other changes are pending:
    tofu plan
	
Note that the -target and -exclude options are not suitable for routine use, and are provided only for exceptional situations such as recovering from errors or mistakes, or when OpenTofu specifically suggests to use it as part of an error message.`;
