// SPDX-License-Identifier: Apache-2.0
import { formatPath, isWhollyKnown, nullOf, same, type Value } from "@tenon/cty";
import { impliedType, type PlanResourceChangeResponse } from "@tenon/schema";
import { planChange, planDestroy, replanChange, type PlannedChange, type ResourceObject } from "@tenon/schema/lifecycle";
import { proposedNew } from "@tenon/schema/change";
import { checkDeferredPlan } from "./deferral-laws.ts";
import type { Trial } from "./trial.ts";

/** Plans a change to a valid configuration, and checks the plan. Returns undefined if there is none. */
export async function checkPlan(
  trial: Trial,
  what: string,
  config: Value,
  unknowns: Value,
  prior?: ResourceObject,
): Promise<PlannedChange | undefined> {
  const { type } = trial.subject;
  await checkDeferredPlan(trial, what, config, prior);
  const change = { config, prior, configValidated: true };
  const outcome = await trial.attempt(what, () => planChange(type, change));
  if (outcome === undefined || !trial.succeeded(outcome.diagnostics, what, "valid-plan", "can-plan")) return undefined;
  const planned = outcome.planned!;
  await checkResponses(trial, what, planned, config, prior);
  await checkFinalPlan(trial, what, planned, config, unknowns, prior);
  return planned;
}

/** Checks what the lifecycle does not return: calls the provider twice with the same request. */
async function checkResponses(
  trial: Trial,
  what: string,
  planned: PlannedChange,
  config: Value,
  prior: ResourceObject | undefined,
): Promise<void> {
  const { type } = trial.subject;
  const { block } = type.schema;
  const before = prior?.value ?? nullOf(impliedType(block));
  const request = {
    typeName: type.typeName,
    priorState: before,
    proposedNewState: proposedNew(block, before, config),
    config,
    priorPrivate: prior?.private ?? new Uint8Array(),
    clientCapabilities: { deferralAllowed: false, writeOnlyAttributesAllowed: true },
    ...(prior?.identity ? { priorIdentity: prior.identity } : {}),
  };
  const responses: PlanResourceChangeResponse[] = [];
  for (let time = 0; time < 2; time += 1) {
    const response = await trial.attempt(what, () => type.provider.planResourceChange(request));
    if (response !== undefined) responses.push(response);
  }
  const [first, second] = responses;
  if (first === undefined || second === undefined) return;
  const paths = (response: PlanResourceChangeResponse): string => response.requiresReplace.map(formatPath).toSorted().join();
  if (!same(first.plannedState, second.plannedState)) {
    trial.expectSame("repeatable-plan", `${what}: the same request is planned in another way`, first.plannedState, second.plannedState);
  } else if (paths(first) !== paths(second)) {
    trial.violate("repeatable-plan", `${what}: the same request requires a replacement for ${paths(first)}, and then for ${paths(second)}`);
  }
  const isNothing = prior === undefined || planned.action === "noOp";
  // The legacy SDK requires a replacement for each such attribute of a new object, and the cores ignore that.
  if (isNothing && !first.legacyTypeSystem && first.requiresReplace.length > 0) {
    trial.violate("no-replacement-of-nothing", `${what}: a replacement is required for ${paths(first)}`);
  }
  checkReplacementPaths(trial, what, first);
  checkPlannedIdentity(trial, what, first, planned, prior);
}

function checkReplacementPaths(trial: Trial, what: string, { requiresReplace, legacyTypeSystem }: PlanResourceChangeResponse): void {
  if (legacyTypeSystem) return;
  const { block } = trial.subject.type.schema;
  const seen = new Set<string>();
  for (const path of requiresReplace) {
    const text = formatPath(path).replace(/^\./, "");
    if (seen.has(text) && !path.some(({ kind }) => kind === "index"))
      trial.violate("valid-replacement-paths", `${what} names ${text} twice among the paths that require a replacement.`);
    const [first] = path;
    const isKnown = first?.kind === "attribute" && (Object.hasOwn(block.attributes, first.name) || Object.hasOwn(block.blocks, first.name));
    if (!isKnown) trial.violate("valid-replacement-paths", `${what} requires a replacement for ${text}, which the schema does not have.`);
    seen.add(text);
  }
}

function checkPlannedIdentity(
  trial: Trial,
  what: string,
  { plannedIdentity }: PlanResourceChangeResponse,
  planned: PlannedChange,
  prior: ResourceObject | undefined,
): void {
  const before = prior?.identity;
  if (before === undefined || planned.action === "replace") return;
  if (plannedIdentity === undefined || plannedIdentity.payload === null) {
    return trial.violate("identity-kept", `${what}: the plan has no identity, and the object has one`);
  }
  if (isWhollyKnown(plannedIdentity) && !same(plannedIdentity, before)) {
    trial.violate("identity-kept", `${what}: the plan changes the identity of the object`);
  }
}

/** Plans the change with unknown values, and again when they are known, as a core does. */
async function checkFinalPlan(
  trial: Trial,
  what: string,
  planned: PlannedChange,
  config: Value,
  unknowns: Value,
  prior: ResourceObject | undefined,
): Promise<void> {
  const { type, except } = trial.subject;
  if (same(config, unknowns) || except.has("final-plan-fits")) return;
  const early = await trial.attempt(`${what} with unknown values`, () =>
    planChange(type, { config: unknowns, prior, configValidated: true }),
  );
  if (early === undefined || !trial.succeeded(early.diagnostics, `${what} with unknown values`, "valid-plan", "can-plan")) return;
  const { action } = early.planned!;
  if (action === "noOp" && planned.action !== "noOp") {
    trial.violate(
      "final-plan-fits",
      `${what} with unknown values changes nothing, and with all values known it is to ${planned.action} the object.`,
    );
  }
  // The second plan of a replacement is one of a new object.
  if (action === "noOp" || action === "delete") return;
  const first = action === "replace" ? { ...early.planned!, action: "create" as const } : early.planned!;
  const final = await trial.attempt(what, () => replanChange(type, first, { config, configValidated: true }));
  if (final !== undefined && action !== "replace")
    trial.succeeded(final.diagnostics, `${what}, after one with unknown values`, "final-plan-fits", "can-plan");
}

/** Plans the deletion of an object. */
export async function checkDestroyPlan(trial: Trial, object: ResourceObject): Promise<PlannedChange | undefined> {
  const what = "the plan to delete";
  await checkDeferredPlan(trial, what, undefined, object);
  const outcome = await trial.attempt(what, () => planDestroy(trial.subject.type, object));
  if (outcome === undefined || !trial.succeeded(outcome.diagnostics, what, "valid-plan", "can-plan")) return undefined;
  return outcome.planned;
}
