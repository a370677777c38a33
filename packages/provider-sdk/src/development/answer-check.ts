// SPDX-License-Identifier: Apache-2.0
// Loaded only where a provider under development checks itself: see `ProviderOptions.checkAnswers`.
import { formatPath } from "@tenon/cty";
import {
  errorDiagnostic,
  hasErrors,
  type ApplyResourceChangeRequest,
  type ApplyResourceChangeResponse,
  type Block,
  type Diagnostic,
  type PlanResourceChangeRequest,
  type PlanResourceChangeResponse,
} from "@tenon/schema";
import { assertObjectCompatible, assertPlanValid, assertWriteOnlyNull, filterRequiresReplace, type Problem } from "@tenon/schema/change";
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

/**
 * Holds an answer against the rules that the cores enforce, and answers a diagnostic for each that is broken: the attribute, the rule,
 * and what the core will call it. Nothing is said of answers that are errors already, nor of provisional ones.
 */
export function brokenRules(method: string, request: unknown, response: unknown, instance: ServedInstance): readonly Diagnostic[] {
  if (hasErrors((response as { readonly diagnostics?: readonly Diagnostic[] }).diagnostics ?? [])) return [];
  if (method === "PlanResourceChange")
    return ofPlan(request as PlanResourceChangeRequest, response as PlanResourceChangeResponse, instance);
  if (method === "ApplyResourceChange")
    return ofApply(request as ApplyResourceChangeRequest, response as ApplyResourceChangeResponse, instance);
  return [];
}

function ofPlan(request: PlanResourceChangeRequest, response: PlanResourceChangeResponse, instance: ServedInstance): readonly Diagnostic[] {
  const { plannedState, requiresReplace, deferred } = response;
  if (deferred !== undefined || !hasContent(plannedState)) return [];
  const { priorState, config, typeName } = request;
  const block = blockOf(typeName, instance);
  return [
    ...told(`plan of ${typeName}`, planned, assertPlanValid(block, priorState, config, plannedState)),
    ...told(`plan of ${typeName}`, forgotten, assertWriteOnlyNull(block, plannedState)),
    ...told(`plan of ${typeName}`, replaced, filterRequiresReplace(block, priorState, plannedState, requiresReplace).problems),
  ];
}

function ofApply(
  request: ApplyResourceChangeRequest,
  response: ApplyResourceChangeResponse,
  instance: ServedInstance,
): readonly Diagnostic[] {
  const { plannedState, priorState, typeName } = request;
  if (!hasContent(plannedState)) return [];
  const block = blockOf(typeName, instance);
  const who = `${hasContent(priorState) ? "update" : "create"} of ${typeName}`;
  return [
    ...told(who, applied, assertObjectCompatible(block, plannedState, response.newState)),
    ...told(who, forgotten, assertWriteOnlyNull(block, response.newState)),
  ];
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
