// SPDX-License-Identifier: Apache-2.0
import { type Value } from "@tenon/cty";
import type { Diagnostic } from "@tenon/hcl";
import { hasErrors } from "@tenon/schema";
import { modulePathOf } from "../address/module.ts";
import {
  formatConfigResource,
  formatResourceInstance,
  isSameResourceInstance,
  isUnknownInstance,
  type ConfigResource,
} from "../address/resource.ts";
import { descendant, type Configuration } from "../configuration/configuration.ts";
import { withImportedResources } from "../configuration/imported-resources.ts";
import { resourceBlock } from "../configuration/module.ts";
import type { Report } from "../configuration/report.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import type { DependencyOptions } from "../evaluation/dependency-builder.ts";
import { DependencyGraph } from "../evaluation/dependency-graph.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import type { EventListener } from "../events/events.ts";
import { ProviderSchemas } from "../provider/provider-schemas.ts";
import { isEmptyState, objectIn, type State } from "../state/state.ts";
import { StateDraft } from "../state/state-draft.ts";
import { OpenEphemeralResources } from "../walk/ephemeral-instance.ts";
import { evaluateCheckBlocks } from "../walk/check-blocks.ts";
import { configAddressOf, type InstanceNode } from "../walk/instance-node.ts";
import { scopesFrom } from "../walk/module-lookup.ts";
import { ResourceWalk } from "../walk/resource-walk.ts";
import { blockedMovesWarning, movesOutsideTargets } from "../moves/validate-moves.ts";
import { deferUnknownInstances } from "./defer-instance.ts";
import { importInstance } from "./import-instance.ts";
import { importTargets } from "./import-targets.ts";
import { misplacedInstances } from "./misplaced-instances.ts";
import { OrphanPlans } from "./orphan-plans.ts";
import { undeclaredValues } from "./undeclared-values.ts";
import { dependenciesPending, planDataInstance } from "./plan-data.ts";
import { planManagedInstance } from "./plan-managed.ts";
import { plannedModuleOutputs, planOutputs, type ModuleOutput } from "./plan-outputs.ts";
import { PlanRun } from "./plan-run.ts";
import type { PlannedChanges, RelevantAttribute } from "../change/planned-changes.ts";
import { relevantAttributes } from "./relevant-attributes.ts";
import { isPartial, select, warnOfSelection, type Selection } from "./targeting.ts";
import {
  previousAddressesOf,
  walkOptionsOf,
  type ImportedObject,
  type MovedInput,
  type PlanContext,
  type PlanInput,
} from "./plan-input.ts";
import { afterMoves } from "./after-moves.ts";
import { planDestruction } from "./plan-destruction.ts";
import { recordedValue } from "./recorded-value.ts";
import { failedPlan, finishedPlan } from "./plan-result.ts";
import { SkippedBlocks } from "./skipped-blocks.ts";
import { refuseProvisioners } from "./provisioner-rules.ts";
import { reportUndeclaredImports } from "./missing-imports.ts";

/**
 * Plans the changes that make the objects of a state match a configuration.
 *
 * @see OpenTofu context_plan.go
 */
export async function planConfiguration(given: PlanInput): Promise<PlanResult> {
  const report: Report = [];
  const input = given.generateConfiguration ? { ...given, configuration: withGeneratedResources(given) } : given;
  const timestamp = input.environment.now();
  try {
    const changes = await planAfterMoves(input, report, timestamp);
    if (changes !== undefined) return { changes, isPlanned: true };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
  }
  return { changes: failedPlan(input, report, timestamp), isPlanned: false };
}

/** The result of planning. */
export interface PlanResult {
  readonly changes: PlannedChanges;
  /** Whether resources and outputs were planned, with or without errors. */
  readonly isPlanned: boolean;
}

/** The configuration with a generated `resource` block for each import that has none. */
function withGeneratedResources({ configuration, state }: PlanInput): Configuration {
  const imports = configuration.module.imports.filter(
    ({ instance }) => instance !== undefined && instance.key === undefined && objectIn(state, { instance }) === undefined,
  );
  return withImportedResources(configuration, imports);
}

/** Applies moves to the state, checks what must hold before any evaluation, and plans; undefined after an error of these checks. */
async function planAfterMoves(given: PlanInput, report: Report, timestamp: Date): Promise<PlannedChanges | undefined> {
  const { configuration, mode } = given;
  const input = afterMoves(given);
  const { state } = input;
  if (isPartial(given)) warnOfSelection(report);
  report.push(...movesOutside(input));
  const schemas = await ProviderSchemas.load(input.pool, configuration, state);
  report.push(...schemas.diagnostics);
  if (hasErrors(report)) return undefined;
  const graph = new DependencyGraph(
    configuration,
    {
      resource: ({ provider, address }) => provider && schemas.resource(provider, address)?.block,
      provider: ({ provider }) => schemas.configuration(provider),
    },
    { orphans: recordedOrphans(configuration, state) },
  );
  report.push(...graph.cycleErrors());
  if (hasErrors(report)) return undefined;
  refuseProvisioners(input, report);
  if (mode !== "destroy" && input.importedObject === undefined) reportUndeclaredImports(input, report);
  if (hasErrors(report)) return undefined;
  const moduleOutputs: ModuleOutput[] = [];
  const planned = await planByMode({ ...input, graph, report, timestamp, moduleOutputs });
  let relevant: readonly RelevantAttribute[] | undefined;
  return {
    ...planned,
    relevantAttributes: () => (relevant ??= relevantAttributes({ ...planned, moduleOutputs }, configuration, schemas.resource)),
  };
}

/** The error about moved instances that the targets or exclusions of a plan leave out; empty if there is none. */
function movesOutside({ moves, targets, excludes }: MovedInput): readonly Diagnostic[] {
  const outside = movesOutsideTargets(moves, targets, excludes);
  return outside === undefined ? [] : [outside];
}

/** The resources of a state that the configuration does not declare, with their provider configurations. */
function recordedOrphans(root: Configuration, { resources }: State): NonNullable<DependencyOptions["orphans"]> {
  return [...resources.values()].flatMap(({ address, provider }) => {
    const module = modulePathOf(address.module);
    const configuration = descendant(root, module);
    const isDeclared = configuration !== undefined && resourceBlock(configuration.module, address.resource) !== undefined;
    return isDeclared ? [] : [{ module, provider }];
  });
}

async function planByMode(context: PlanContext): Promise<PlannedChanges> {
  const { mode, state, emit } = context;
  if (mode !== "destroy") return planOnce(context);
  if (!context.refresh || isEmptyState(state)) return planDestruction(context, { previousState: state, priorState: state });
  // A destroy plan begins with a normal plan, which reads all objects and data sources.
  const report: Report = [];
  const refreshed = await planOnce({ ...context, mode: "normal", report, emit: withoutPlans(emit) }, { beforeDestroy: true }).finally(
    () => {
      // Warnings are dropped, because the second plan reports again those that still apply.
      if (hasErrors(report)) context.report.push(...report);
    },
  );
  if (refreshed.errored) throw new UpstreamError();
  // From now on, provider configurations that refer to resources use the values of the state instead of planned values.
  await context.pool.beginStage("destruction");
  // The objects have moved. Another one can move now only if the first plan has found that the object in its way is gone.
  const read = new StateDraft(refreshed.priorState);
  // A resource without instances would still block a move to its address.
  read.prune();
  const moved = afterMoves({ ...context, state: read.snapshot() });
  context.report.push(...movesOutside(moved));
  if (hasErrors(context.report)) throw new UpstreamError();
  return planDestruction(moved, { previousState: refreshed.previousState, priorState: moved.state });
}

/** A listener that leaves out the events of planned changes, for a plan that only reads. */
function withoutPlans(emit: EventListener): EventListener {
  return (event) => {
    if (event.type !== "planned" && event.type !== "deferred") emit(event);
  };
}

async function planOnce(context: PlanContext, { beforeDestroy = false } = {}): Promise<PlannedChanges> {
  const { configuration, state, graph, report, mode, emit, signal } = context;
  const reported = report.length;
  const selection = select(graph, state, { targets: context.targets, excludes: context.excludes, destroys: false });
  let run: PlanRun;
  const walk: ResourceWalk = new ResourceWalk({
    ...walkOptionsOf(context),
    conditionsWarn: mode === "refreshOnly" || beforeDestroy,
    includes: (path, local) => selection.includes(graph.block(path, local)),
    ...(mode === "refreshOnly" && {
      undeclared: async (scope: ModuleScope, block: ResourceBlock) => {
        await run.planOrphansOf([configAddressOf({ scope, block })]);
        return undeclaredValues(run.refreshed.snapshot(), walk, scope, block);
      },
    }),
    ...(mode === "normal" &&
      isPartial(context) && {
        undeclared: (scope: ModuleScope, block: ResourceBlock) =>
          undeclaredValues(state, walk, scope, block, (instance) => !selection.includesInstance(instance)),
      }),
    instance: (node) => planInstance(run, walk, ephemeral, node, context.importedObject),
  });
  const ephemeral = new OpenEphemeralResources(() => walk, emit);
  try {
    const isOnlyRead = beforeDestroy || context.importedObject !== undefined;
    const includes = (resource: ConfigResource): boolean => {
      const node = graph.resource(resource);
      return node === undefined || selection.includes(node);
    };
    const imports = isOnlyRead ? new Map<string, never>() : await importTargets(walk.root, includes, report);
    run = new PlanRun({
      configuration,
      settings: {
        mode,
        refresh: context.refresh,
        replace: new Set(context.replace.map(formatResourceInstance)),
        isInstanceIncluded: selection.includesInstance,
        areDeposedIncluded: selection.includesDeposed,
        signal,
      },
      graph,
      report,
      emit,
      moved: previousAddressesOf(context),
      imports,
      createBeforeDestroy: forcedCreateBeforeDestroy(graph, selection),
      state,
      planOrphansOf: (resources) => orphans.planOf(resources),
    });
    const orphans = new OrphanPlans(run, walk);
    const succeeded = await walk.evaluateAll();
    await orphans.planAll(succeeded);
    const skipped = new SkippedBlocks(graph, walk.faults);
    await evaluateCheckBlocks(walk, { isSound: (address) => !skipped.hasBlock(address) });
    const misplaced = await misplacedInstances(walk, skipped, imports, context);
    if (misplaced.length > 0) {
      report.splice(reported, report.length, ...misplaced);
      throw new UpstreamError();
    }
    const blocked = hasErrors(report) ? undefined : blockedMovesWarning(context.moves.blocked);
    if (blocked !== undefined) report.push(blocked);
    skipped.removeChanges(run);
    const outputs = await planOutputs(
      walk.root,
      state,
      run.refreshed,
      (name) => selection.includes(graph.block([], `output.${name}`)) && !skipped.hasBlock(`output.${name}`),
    );
    if (!beforeDestroy) {
      const isIncluded = (scope: ModuleScope, name: string): boolean =>
        selection.includes(graph.block(scope.configuration.path, `output.${name}`));
      context.moduleOutputs.push(...(await plannedModuleOutputs(scopesFrom(walk.root, walk.includes), isIncluded)));
    }
    walk.faults.removeDependents(graph, report);
    const finished = finishedPlan(run, walk, outputs, context.timestamp);
    return { ...finished, drift: finished.drift.filter(({ address }) => !skipped.hasObject(address)) };
  } finally {
    await ephemeral.close();
  }
}

async function planInstance(
  run: PlanRun,
  walk: ResourceWalk,
  ephemeral: OpenEphemeralResources,
  node: InstanceNode,
  imported: ImportedObject | undefined,
): Promise<Value | undefined> {
  run.settings.signal?.throwIfAborted();
  const { mode } = node.block.address;
  if (mode !== "ephemeral" && !run.settings.isInstanceIncluded(node.address)) return recordedValue(run, walk, node);
  if (imported !== undefined && isSameResourceInstance(imported.address, node.address)) {
    return importInstance(run, walk, node, imported.importing);
  }
  if (isUnknownInstance(node.address)) return deferUnknownInstances(run, walk, node);
  if (mode === "managed") return await planManagedInstance(run, walk, node);
  if (mode === "data") return planDataInstance(run, walk, node);
  return ephemeral.open(node, {
    isPending: (schema) => dependenciesPending(run, walk, node, schema),
    onDeferred: () => run.deferDependents(node.configText),
    signal: run.settings.signal,
  });
}

/**
 * The resources that must have `create_before_destroy` because a resource of the plan that depends on them has it.
 *
 * @see OpenTofu transform_destroy_cbd.go, ForcedCBDTransformer
 */
function forcedCreateBeforeDestroy(graph: DependencyGraph, { includes }: Selection): ReadonlySet<string> {
  const forced = new Set<string>();
  for (const node of graph.nodes) {
    if (node.block?.managed?.createBeforeDestroy !== true || !includes(node)) continue;
    for (const { resource } of graph.ancestors(node)) {
      if (resource?.resource.mode === "managed") forced.add(formatConfigResource(resource));
    }
  }
  return forced;
}
