// SPDX-License-Identifier: Apache-2.0
import { unmarkDeep } from "@tenon/cty";
import type { AddressedDiagnostic } from "@tenon/engine";
import {
  formatResourceInstance,
  referenceOf,
  resourceInstanceOf,
  targetOf,
  type ResourceInstance,
  type TargetSubject,
} from "@tenon/engine/address";
import { givenValue, opentofuVersion } from "@tenon/engine/configuration";
import { planJson, renderPlan, renderState, stateJson } from "@tenon/engine/documents";
import type { PlannedChanges } from "@tenon/engine/plan";
import type { State } from "@tenon/engine/state";
import { validateOverrides, type RunBlock, type TestedModule } from "@tenon/engine/unstable/test-files";
import { hasErrors } from "@tenon/hcl";
import { variables } from "@tenon/hcl/analysis";
import { traversalRange } from "@tenon/hcl/syntax";
import { ExpectedFailures, validateExpectedFailures } from "./expected-failures.ts";
import { openRun, type RunContext } from "./open-run.ts";
import { assertionVariables, variablesScope, type RunVariables } from "./run-scope.ts";
import { mergeStatus, type TestStatus } from "./status.ts";
import type { RunDocument } from "./suite.ts";

/** The result of executing a run block. */
export interface ExecutedRun {
  readonly status: TestStatus;
  readonly diagnostics: readonly AddressedDiagnostic[];
  /** The state after an apply, also after a failed one; undefined if nothing was applied. */
  readonly state?: State;
  readonly document?: RunDocument;
}

/** Plans, or plans and applies, the configuration of a run block, and evaluates its assertions. @see OpenTofu command, ExecuteTestRun */
export async function executeRun(context: RunContext, state: State): Promise<ExecutedRun> {
  const { run, file } = context.input;
  const diagnostics: AddressedDiagnostic[] = [];
  validateOverrides(file, diagnostics);
  if (!hasErrors(diagnostics)) {
    diagnostics.push(...validateExpectedFailures(run));
    validateOverrides(run, diagnostics);
  }
  if (hasErrors(diagnostics)) return { status: "error", diagnostics };
  const opened = await openRun(context);
  diagnostics.push(...opened.diagnostics);
  if (opened.module === undefined) return { status: "error", diagnostics };
  await using module = opened.module;
  diagnostics.push(...(await module.validate()));
  if (hasErrors(diagnostics)) return { status: "error", diagnostics };
  const execution: Execution = { context, module, variables: opened.variables, diagnostics };
  // Awaited here, because the module is disposed on return.
  return run.command === "plan" ? await executePlan(execution, state) : await executeApply(execution, state);
}

/** A run block whose configuration is valid. */
interface Execution {
  readonly context: RunContext;
  readonly module: TestedModule;
  readonly variables: RunVariables;
  /** The diagnostics of the run so far. */
  readonly diagnostics: AddressedDiagnostic[];
}

async function executePlan(execution: Execution, state: State): Promise<ExecutedRun> {
  const { context, diagnostics } = execution;
  const { planned, diagnostics: planDiagnostics } = await plan(execution, state);
  diagnostics.push(...new ExpectedFailures(context.input.run).apply(planDiagnostics));
  if (planned === undefined || hasErrors(diagnostics)) return { status: "error", diagnostics };
  const document = context.verbose ? await planDocument(execution, planned) : undefined;
  const asserted = { state: planned.priorState, changes: planned.resources, timestamp: planned.timestamp, isApplied: false };
  return { ...(await assertAll(execution, asserted)), ...(document && { document }) };
}

async function executeApply(execution: Execution, state: State): Promise<ExecutedRun> {
  const { context, diagnostics, module } = execution;
  const { run } = context.input;
  const expected = new ExpectedFailures(run);
  const { planned, targets = [], diagnostics: planDiagnostics } = await plan(execution, state);
  diagnostics.push(...planDiagnostics, ...problematicVariables(expected, planDiagnostics));
  if (planned === undefined || hasErrors(diagnostics)) return { status: "error", diagnostics };
  // The apply evaluates the checks again.
  const withoutChecks = diagnostics.filter(({ extra }) => !(extra?.kind === "condition" && extra.object === "check"));
  diagnostics.splice(0, diagnostics.length, ...withoutChecks);
  context.onApply?.(planned);
  const applied = await module.apply(planned, targets);
  diagnostics.push(...expected.apply(applied.diagnostics));
  if (hasErrors(diagnostics)) return { status: "error", diagnostics, state: applied.state };
  const document = context.verbose ? await stateDocument(module, applied.state) : undefined;
  const asserted = { state: applied.state, changes: [], timestamp: planned.timestamp, isApplied: true };
  return { ...(await assertAll(execution, asserted)), state: applied.state, ...(document && { document }) };
}

/** Warns of expected failures that have made the plan impossible. @see OpenTofu command, checkProblematicPlanErrors */
function problematicVariables(expected: ExpectedFailures, planDiagnostics: readonly AddressedDiagnostic[]): readonly AddressedDiagnostic[] {
  return planDiagnostics.flatMap(({ extra }): readonly AddressedDiagnostic[] => {
    if (extra?.kind !== "condition" || extra.object !== "variable" || !expected.expectsVariable(extra.address)) return [];
    const detail = `Variable ${extra.address}, has an invalid value within the test. Although this was an expected failure, it has meant the apply stage was unable to run so the overall test will fail.`;
    return [{ severity: "warning", summary: "Invalid Variable in test file", detail }];
  });
}

/** Plans the configuration. Without a plan, the diagnostics have errors. */
async function plan(
  { context: { input }, module }: Execution,
  state: State,
): Promise<{
  readonly planned?: PlannedChanges;
  readonly targets?: readonly TargetSubject[];
  readonly diagnostics: readonly AddressedDiagnostic[];
}> {
  const { run } = input;
  const diagnostics: AddressedDiagnostic[] = [];
  const targets = targetsOf(run, diagnostics);
  const replace = replacementsOf(run, diagnostics);
  diagnostics.push(...invalidReferences(run));
  if (hasErrors(diagnostics)) return { diagnostics };
  const { mode, refresh } = run.options;
  const planned = await module.plan(state, { mode, refresh, targets, replace });
  return { planned, targets, diagnostics: [...diagnostics, ...planned.diagnostics] };
}

function targetsOf({ options }: RunBlock, diagnostics: AddressedDiagnostic[]): readonly TargetSubject[] {
  return options.target.flatMap((traversal) => {
    const parsed = targetOf(traversal);
    diagnostics.push(...parsed.diagnostics);
    return parsed.address === undefined ? [] : [parsed.address.subject];
  });
}

function replacementsOf({ options }: RunBlock, diagnostics: AddressedDiagnostic[]): readonly ResourceInstance[] {
  return options.replace.flatMap((traversal) => {
    const { address, diagnostics: addressDiagnostics } = resourceInstanceOf(traversal);
    diagnostics.push(...addressDiagnostics);
    if (address === undefined) return [];
    if (address.resource.mode === "managed") return [address];
    const subject = traversalRange(traversal);
    const summary = "Can only target managed resources for forced replacements.";
    diagnostics.push({ severity: "error", summary, detail: formatResourceInstance(address), ...(subject && { subject }) });
    return [];
  });
}

/** The errors of malformed references in assertions. @see OpenTofu moduletest, Run.GetReferences */
function invalidReferences({ assertions }: RunBlock): readonly AddressedDiagnostic[] {
  return assertions.flatMap(({ condition, errorMessage }) =>
    [condition, errorMessage]
      .filter((expression) => expression !== undefined)
      .flatMap((expression) => variables(expression))
      .flatMap((traversal) => referenceOf(traversal).diagnostics),
  );
}

async function assertAll(
  { context: { input }, module, diagnostics }: Execution,
  asserted: Parameters<TestedModule["evaluate"]>[1],
): Promise<Pick<ExecutedRun, "status" | "diagnostics">> {
  const { run } = input;
  const results = await module.evaluate(run.assertions, asserted, assertionVariables(input, variablesScope(input)));
  let status: TestStatus = "pass";
  for (const result of results) {
    status = mergeStatus(status, result.status);
    diagnostics.push(...result.diagnostics);
  }
  return { status, diagnostics };
}

async function planDocument({ module, variables: { given } }: Execution, planned: PlannedChanges): Promise<RunDocument> {
  const { configuration } = module;
  const schemas = await module.schemas(planned.priorState);
  const values = [...given].map(([name, variable]) => {
    const { value } = givenValue(variable, configuration.module.variables.get(name)!);
    return [name, unmarkDeep(value)[0]] as const;
  });
  const document = planJson(planned, { configuration, variables: new Map(values), schemas, terraformVersion: opentofuVersion });
  const { prior_state: _, ...json } = document;
  return { kind: "plan", text: (options) => renderPlan(planned, options), json };
}

async function stateDocument(module: TestedModule, state: State): Promise<RunDocument> {
  const schemas = await module.schemas(state);
  const lookUp = schemas.resource;
  return { kind: "state", text: (options) => renderState(state, lookUp, options), json: stateJson(state, lookUp, opentofuVersion) };
}
