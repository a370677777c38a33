// SPDX-License-Identifier: Apache-2.0
// Loaded only where a provider under development checks itself: see `ProviderOptions.checkAnswers`.
import { formatPath, type Value } from "@tenon/cty";
import {
  errorDiagnostic,
  hasErrors,
  type ApplyResourceChangeRequest,
  type ApplyResourceChangeResponse,
  type Block,
  type Diagnostic,
  type ImportResourceStateRequest,
  type ImportResourceStateResponse,
  type MoveResourceStateRequest,
  type MoveResourceStateResponse,
  type OpenEphemeralResourceRequest,
  type OpenEphemeralResourceResponse,
  type PlanResourceChangeRequest,
  type PlanResourceChangeResponse,
  type ReadDataSourceRequest,
  type ReadDataSourceResponse,
  type ReadResourceRequest,
  type ReadResourceResponse,
  type UpgradeResourceStateRequest,
  type UpgradeResourceStateResponse,
} from "@tenon/schema";
import {
  assertObjectCompatible,
  assertPlanValid,
  assertResultValue,
  assertWriteOnlyNull,
  filterRequiresReplace,
  type Problem,
} from "@tenon/schema/change";
import { hasContent } from "../planning/part.ts";
import type { ServedInstance } from "../server/served-instance.ts";

/** A rule of the cores, as {@link brokenRules} names it. */
interface Rule {
  readonly says: string;
  /** What a core says of a provider that breaks it. */
  readonly refusal: string;
}

const planned: Rule = {
  says: "what is planned is what is configured, or what was there before, or the provider's own where nothing is configured",
  refusal: "Provider produced invalid plan",
};
const replaced: Rule = { says: "what requires replacement exists, before or afterwards", refusal: "Provider produced invalid plan" };
const applied: Rule = {
  says: "what was known in the plan is so in the end",
  refusal: "Provider produced inconsistent result after apply",
};
const forgotten: Rule = { says: "write-only values are in no plan and no state", refusal: "Invalid provider response" };

const destroyed: Rule = { says: "nothing is planned where nothing is to be, and something where something is", refusal: planned.refusal };
const left: Rule = {
  says: "nothing is left after a deletion, and something after everything else",
  refusal: "Provider returned invalid result object after apply",
};
const result: Rule = { says: "what was made has the type that the schema says, and is known", refusal: left.refusal };
const found: Rule = { says: "what was found has the type that the schema says, and is known", refusal: "Provider produced invalid object" };
const there: Rule = { says: "something is answered", refusal: "Provider produced null object" };
const imported: Rule = { says: "one object is imported, of the type that was asked for", refusal: "Import returned null resource" };
const transformed: Rule = {
  says: "recorded state becomes state of the schema's type, and known",
  refusal: "Invalid resource state transformation",
};

/** Answers to a call that are held against rules, by its name. */
const checks: Readonly<Record<string, (request: never, response: never, instance: ServedInstance) => readonly Diagnostic[]>> = {
  PlanResourceChange: ofPlan,
  ApplyResourceChange: ofApply,
  ReadResource: ofRead,
  ImportResourceState: ofImport,
  UpgradeResourceState: ofUpgrade,
  MoveResourceState: ofMove,
  ReadDataSource: ofDataSource,
  OpenEphemeralResource: ofEphemeralResource,
};

/**
 * Holds an answer against the rules that the cores enforce, and answers a diagnostic for each that is broken: the attribute, the rule,
 * and what the core will call it. Nothing is said of answers that are errors already, nor of provisional ones.
 */
export function brokenRules(method: string, request: unknown, response: unknown, instance: ServedInstance): readonly Diagnostic[] {
  const { diagnostics = [], deferred } = response as { readonly diagnostics?: readonly Diagnostic[]; readonly deferred?: unknown };
  if (hasErrors(diagnostics) || deferred !== undefined) return [];
  return checks[method]?.(request as never, response as never, instance) ?? [];
}

function ofPlan(request: PlanResourceChangeRequest, response: PlanResourceChangeResponse, instance: ServedInstance): readonly Diagnostic[] {
  const { plannedState, requiresReplace } = response;
  const { priorState, proposedNewState, config, typeName } = request;
  const who = `plan of ${typeName}`;
  if (hasContent(plannedState) !== hasContent(proposedNewState))
    return told(who, destroyed, [{ path: [], message: hasContent(plannedState) ? "something was planned" : "nothing was planned" }]);
  if (!hasContent(plannedState)) return [];
  const block = blockOf(typeName, instance);
  return [
    ...told(who, planned, assertPlanValid(block, priorState, config, plannedState)),
    ...told(who, forgotten, assertWriteOnlyNull(block, plannedState)),
    ...told(who, replaced, filterRequiresReplace(block, priorState, plannedState, requiresReplace).problems),
  ];
}

function ofApply(
  request: ApplyResourceChangeRequest,
  response: ApplyResourceChangeResponse,
  instance: ServedInstance,
): readonly Diagnostic[] {
  const { plannedState, priorState, typeName } = request;
  const { newState } = response;
  const who = `${!hasContent(plannedState) ? "deletion" : hasContent(priorState) ? "update" : "create"} of ${typeName}`;
  if (hasContent(newState) !== hasContent(plannedState))
    return told(who, left, [{ path: [], message: hasContent(newState) ? "something is left" : "nothing is left" }]);
  if (!hasContent(plannedState)) return [];
  const block = blockOf(typeName, instance);
  // Those of write-only attributes would be told again, with their values.
  const wrong = ofState(who, result, block, newState);
  return wrong.length > 0 ? wrong : told(who, applied, assertObjectCompatible(block, plannedState, newState));
}

/** What is gone is null. */
function ofRead({ typeName }: ReadResourceRequest, { newState }: ReadResourceResponse, instance: ServedInstance): readonly Diagnostic[] {
  return ofState(`read of ${typeName}`, found, blockOf(typeName, instance), newState);
}

function ofImport(
  { typeName }: ImportResourceStateRequest,
  { importedResources }: ImportResourceStateResponse,
  instance: ServedInstance,
): readonly Diagnostic[] {
  const who = `import of ${typeName}`;
  const [one] = importedResources;
  const wrong = (message: string): readonly Diagnostic[] => told(who, imported, [{ path: [], message }]);
  if (one === undefined || importedResources.length > 1) return wrong(`${importedResources.length} objects were answered`);
  if (one.typeName !== typeName) return wrong(`${JSON.stringify(one.typeName)} was answered`);
  if (!hasContent(one.state)) return wrong("an object that is null was answered");
  return ofState(who, found, blockOf(typeName, instance), one.state);
}

function ofUpgrade(
  { typeName, rawState }: UpgradeResourceStateRequest,
  { upgradedState }: UpgradeResourceStateResponse,
  instance: ServedInstance,
): readonly Diagnostic[] {
  // Where nothing was recorded there is nothing to answer.
  if (!rawState.json?.length && rawState.flatmap === undefined) return [];
  return ofTransformed(`upgrade of ${typeName}`, typeName, upgradedState, instance);
}

function ofMove(
  { targetTypeName }: MoveResourceStateRequest,
  { targetState }: MoveResourceStateResponse,
  instance: ServedInstance,
): readonly Diagnostic[] {
  return ofTransformed(`move to ${targetTypeName}`, targetTypeName, targetState, instance);
}

function ofTransformed(who: string, typeName: string, state: Value | undefined, instance: ServedInstance): readonly Diagnostic[] {
  if (state === undefined || !hasContent(state)) return told(who, transformed, [{ path: [], message: "no state was answered" }]);
  return ofState(who, transformed, blockOf(typeName, instance), state);
}

function ofDataSource(
  { typeName }: ReadDataSourceRequest,
  { state }: ReadDataSourceResponse,
  instance: ServedInstance,
): readonly Diagnostic[] {
  return ofResult(`read of ${typeName}`, instance.dataSource(typeName).protocol.block, state);
}

function ofEphemeralResource(
  { typeName }: OpenEphemeralResourceRequest,
  { result: opened }: OpenEphemeralResourceResponse,
  instance: ServedInstance,
): readonly Diagnostic[] {
  return ofResult(`opening of ${typeName}`, instance.ephemeralResource(typeName).protocol.block, opened);
}

function ofResult(who: string, block: Block, value: Value): readonly Diagnostic[] {
  return value.payload === null ? told(who, there, [{ path: [], message: "null was answered" }]) : ofState(who, found, block, value);
}

function ofState(who: string, rule: Rule, block: Block, value: Value): readonly Diagnostic[] {
  const wrong = told(who, rule, assertResultValue(block, value));
  return wrong.length > 0 ? wrong : told(who, forgotten, assertWriteOnlyNull(block, value));
}

function blockOf(typeName: string, instance: ServedInstance): Block {
  return instance.resource(typeName).protocol.block;
}

function told(who: string, { says, refusal }: Rule, problems: readonly Problem[]): readonly Diagnostic[] {
  return problems.map(({ path, message }) => {
    const where = path.length === 0 ? "" : `${formatPath(path).slice(1)} `;
    const detail = `${who}: ${where}${message}.\n\nThe rule is that ${says}. A core would say "${refusal}". This is a bug in the provider.`;
    return errorDiagnostic("Provider broke a rule of the protocol", detail, path);
  });
}
