// SPDX-License-Identifier: Apache-2.0
import { hasErrors } from "@tenon/hcl";
import { requireAddress } from "../address/address-diagnostic.ts";
import { parseResourceInstance, parseTarget } from "../address/target.ts";
import { cycleOfApply } from "../apply/planned-steps.ts";
import type { PlannedChanges, PlanMode } from "../change/planned-changes.ts";
import { encryptionDiagnostics } from "../configuration/encryption.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import { resolveVariables } from "../configuration/variable-values.ts";
import { EngineError } from "../error.ts";
import type { EngineEvent } from "../events/events.ts";
import { planConfiguration } from "../plan/plan-configuration.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import type { ProviderPool } from "../provider/provider-pool.ts";
import type { State } from "../state/state.ts";
import { validateConfiguration } from "../validate/validate-configuration.ts";
import { withGeneratedResources } from "./generated-resources.ts";
import type { PlanParts } from "./plan.ts";
import type { RunSetup } from "./run-setup.ts";
import { recoveryDiagnostics } from "./recovery-report.ts";
import { givenVariables } from "./run-variables.ts";
import { requireSameState, variablesOf } from "./saved-plan/open-saved-plan.ts";
import { plannedChangesOf } from "./saved-plan/saved-changes.ts";
import { readSavedPlan, snapshotLoading } from "./saved-plan/saved-plan.ts";
import { requireNoErrors } from "./selected-store.ts";
import type { WorkspaceContext } from "./workspace-context.ts";
import type { PlanOptions, RunOptions } from "./workspace-options.ts";

/** Makes a plan. On return, the state is locked. */
export async function makePlan(context: WorkspaceContext, options: PlanOptions): Promise<PlanParts> {
  if ((options.targets?.length ?? 0) > 0 && (options.excludes?.length ?? 0) > 0) {
    throw new EngineError("INVALID_OPTIONS", "targets and excludes cannot be used together");
  }
  if (options.generateConfiguration === true && (options.mode ?? "normal") !== "normal") {
    throw new EngineError("INVALID_OPTIONS", "configuration can only be generated in the mode normal");
  }
  const { signal } = options;
  signal?.throwIfAborted();
  const loaded = await context.load(options.variables, signal);
  const { selected, opened, unlock } = await context.openState(loaded.configuration, "OperationTypePlan", options);
  try {
    const state = hasErrors(loaded.diagnostics) ? undefined : opened.manager.file.state;
    const pool = await context.openPool(loaded.configuration, { ...options, state });
    try {
      const { changes, setup, sources, isPlanned } = await planChanges(context, options, {
        ...loaded,
        diagnostics: [...loaded.diagnostics, ...selected.diagnostics],
        state: opened.manager.file.state,
        pool,
      });
      const planned = { ...changes, diagnostics: [...recoveryDiagnostics(opened), ...changes.diagnostics] };
      if (isPlanned) options.onEvent?.({ type: "planFinished", planned });
      for (const diagnostic of planned.diagnostics) options.onEvent?.({ type: "diagnostic", diagnostic, sources });
      return { planned, setup, sources, opened, pool, unlock, onEvent: options.onEvent, signal };
    } catch (error) {
      await pool[Symbol.asyncDispose]();
      throw error;
    }
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Opens a saved plan. On return, the state is locked. */
export async function openSavedPlan(context: WorkspaceContext, bytes: Uint8Array, options: RunOptions): Promise<PlanParts> {
  const { workspace, environment } = context;
  const { localExec } = context.options;
  const { onEvent, signal } = options;
  signal?.throwIfAborted();
  const saved = await readSavedPlan(bytes);
  if (saved.workspace !== workspace) {
    throw new EngineError("INVALID_OPTIONS", `the saved plan is for the workspace ${saved.workspace}, and not for ${workspace}`);
  }
  const { workingFolder } = saved;
  const given = givenVariables(options.variables ?? {});
  const origin = { ...snapshotLoading(saved.configuration), workingFolder };
  const { configuration, diagnostics, sources } = await context.loadFrom(new Map([...given, ...saved.variables]), origin);
  if (configuration === undefined || hasErrors(diagnostics)) requireNoErrors(diagnostics);
  const variables = variablesOf(saved, given, configuration!);
  const { opened, unlock } = await context.openState(configuration, "OperationTypeApply", options);
  try {
    requireSameState(saved, opened.manager);
    const pool = await context.openPool(configuration, options);
    try {
      const planned = await plannedChangesOf(saved, pool);
      const setup: RunSetup = {
        configuration: configuration!,
        sources,
        variables,
        workspace,
        workingFolder,
        environment,
        allowsLocalExec: localExec !== false,
        targets: saved.targets,
        excludes: saved.excludes,
      };
      return { planned, setup, sources, opened, pool, unlock, onEvent, signal };
    } catch (error) {
      await pool[Symbol.asyncDispose]();
      throw error;
    }
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** What the changes are planned with: the loaded configuration with all diagnostics so far, the state, and the providers. */
interface PlanSources extends LoadedConfiguration {
  readonly state: State;
  readonly pool: ProviderPool;
}

/** Resolves the variables, validates the configuration, and plans its changes. */
async function planChanges(
  context: WorkspaceContext,
  options: PlanOptions,
  { configuration, diagnostics, sources, state, pool }: PlanSources,
): Promise<{
  readonly changes: PlannedChanges;
  readonly setup: RunSetup | undefined;
  readonly sources: ReadonlyMap<string, string | Uint8Array>;
  readonly isPlanned: boolean;
}> {
  const { mode = "normal", refresh = true, targets = [], excludes = [], replace = [], onEvent, signal } = options;
  const given = givenVariables(options.variables ?? {});
  const resolved = configuration && resolveVariables(given, configuration.module.variables);
  const problems = [...diagnostics, ...encryptionDiagnostics(configuration?.module.encryption), ...(resolved?.diagnostics ?? [])];
  const emit = (event: EngineEvent): void => onEvent?.(event);
  if (configuration === undefined || hasErrors(problems)) {
    return { changes: noChanges(context, mode, state, problems), setup: undefined, sources, isPlanned: false };
  }
  const setup: RunSetup = {
    configuration,
    sources,
    variables: given,
    workspace: context.workspace,
    workingFolder: context.workingFolder,
    environment: context.environment,
    allowsLocalExec: context.options.localExec !== false,
    targets: targets.map((text) => requireAddress(text, parseTarget(text)).subject),
    excludes: excludes.map((text) => requireAddress(text, parseTarget(text)).subject),
  };
  const found = await validateConfiguration({ ...setup, pool, reportsMissingProviders: false });
  if (hasErrors(found)) return { changes: noChanges(context, mode, state, [...problems, ...found]), setup, sources, isPlanned: false };
  const { changes, isPlanned } = await planConfiguration({
    ...setup,
    state,
    pool,
    mode,
    refresh,
    allowsDeferral: options.allowDeferral === true,
    generateConfiguration: options.generateConfiguration === true,
    replace: replace.map((text) => requireAddress(text, parseResourceInstance(text))),
    emit,
    signal,
  });
  const cycle = changes.errored
    ? undefined
    : await cycleOfApply({ ...setup, configuration: withGeneratedResources(configuration, changes), planned: changes, pool });
  const reported = [...problems, ...found, ...changes.diagnostics, ...(cycle === undefined ? [] : [cycle])];
  return { changes: { ...changes, diagnostics: reported, errored: changes.errored || cycle !== undefined }, setup, sources, isPlanned };
}

/** The plan of a configuration that cannot be planned because of errors. */
function noChanges(
  { environment }: WorkspaceContext,
  mode: PlanMode,
  state: State,
  diagnostics: readonly AddressedDiagnostic[],
): PlannedChanges {
  const nothing = { resources: [], outputs: [], drift: [], relevantAttributes: () => [], checks: [] };
  return { mode, ...nothing, previousState: state, priorState: state, diagnostics, errored: true, timestamp: environment.now() };
}
