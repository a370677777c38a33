// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import { errorDiagnostic, type Diagnostic, type PlanResourceChangeRequest, type PlanResourceChangeResponse } from "@tenon/schema";
import type { CompiledResource } from "../../compile/resource.ts";
import { pathText } from "../../conversion/problem.ts";
import { addPath, modifyPlanned, type Modification } from "../../planning/plan-modification.ts";
import type { ChangeParts } from "../../planning/change-parts.ts";
import { plannedState } from "../../planning/planned-state.ts";
import { hasContent, isSame, partOf } from "../../shape/part.ts";
import type { EntryShape } from "../../shape/shape.ts";
import { clientFor } from "../call/client-access.ts";
import { openDeferral } from "../call/deferral.ts";
import { resourcePrivateState } from "../call/private-state.ts";
import { providerMetaOf } from "../call/provider-meta.ts";
import { aboutResource, rpc, type Bare, type Rpc } from "../call/rpc.ts";
import { hasFailed, type ServerCall } from "../call/server-call.ts";
import type { ServedInstance } from "../instance/served-instance.ts";
import { planDestroy } from "./plan-destroy.ts";
import { runPlanHandler, withPlanned } from "./plan-handler.ts";
import { openIdentity } from "./resource-identity.ts";
import { resourceOfChange } from "./resource-of-change.ts";
import { deferredPlan, unplanned } from "./unfinished-plan.ts";

type Request = PlanResourceChangeRequest;
type Response = Bare<PlanResourceChangeResponse>;

/**
 * Plans the new state from the configuration and the recorded state.
 *
 * The order of the steps is fixed: fill in defaults; remove write-only values; mark computed values unknown, if anything changes; run
 * the plan modifiers of attributes; run the resource's own `plan`; apply `replaceInstead`.
 *
 * @see rules 13 to 24 in test/rules
 */
export const planResourceChange: Rpc<Request, PlanResourceChangeResponse> = rpc({
  name: "PlanResourceChange",
  logFields: aboutResource,
  run: (instance, request, call) => {
    const { typeName, config, priorState, proposedNewState } = request;
    const resource = resourceOfChange(instance, call, typeName, [config, priorState, proposedNewState]);
    return hasContent(proposedNewState) ? planChange(instance, resource, request, call) : planDestroy(instance, resource, request, call);
  },
  failed: unplanned,
});

async function planChange(instance: ServedInstance, resource: CompiledResource, request: Request, call: ServerCall): Promise<Response> {
  const { shape, typeName } = resource;
  const { config, priorState, proposedNewState, clientCapabilities } = request;
  const opened = resourcePrivateState(instance, typeName, request.priorPrivate, call);
  const privateState = opened instanceof Promise ? await opened : opened;
  if (privateState === undefined) return unplanned(request);
  const exists = hasContent(priorState);
  const parts: ChangeParts = { config, prior: priorState, planned: proposedNewState };
  const markUnknown = !exists || !isSame(plannedState(shape, parts, { markUnknown: false }), priorState);
  const whole = { shape, parts: (): ChangeParts => ({ ...parts, planned: plannedState(shape, parts, { markUnknown }) }) };
  const modification: Modification = { whole, diagnostics: call.diagnostics, requiresReplace: [] };
  const plannedWith = (isChange: boolean): Value =>
    plannedState(shape, parts, {
      markUnknown: isChange,
      modify: (entry, path, part, isNew, element) =>
        modifyPlanned(entry, path, part, { operation: exists ? "update" : "create", isNew }, element, modification),
      onMerged: (path) => call.diagnostics.push(mergedElements(path)),
    });
  let planned = plannedWith(markUnknown);
  if (hasFailed(call)) return unplanned(request);
  const deferral = openDeferral(clientCapabilities);
  let identity: Value | undefined;
  if (resource.plan !== undefined) {
    const access = clientFor(instance, call, `plan ${typeName}`, clientCapabilities);
    if (access.kind === "refused") return unplanned(request);
    if (access.kind === "deferred") {
      return { ...unplanned(request), plannedState: planned, requiresReplace: modification.requiresReplace, deferred: access.deferred };
    }
    const open = openIdentity(resource, request.priorIdentity, call);
    const values = await runPlanHandler({
      resource,
      parts: { ...parts, planned },
      client: access.client,
      meta: providerMetaOf(instance, request.providerMeta, call),
      privateState,
      identity: open,
      deferral,
      requiresReplace: modification.requiresReplace,
      call,
    });
    const unchanged = planned;
    planned = withPlanned(resource, planned, values);
    // Computed values can depend on the values that `plan` changed, as they can depend on the configuration.
    if (!markUnknown && !isSame(planned, unchanged)) planned = withPlanned(resource, plannedWith(true), values);
    identity = open.fromHandler(`plan of ${typeName}`);
    if (hasFailed(call)) return unplanned(request);
  }
  if (resource.update === undefined && exists) replaceOnChange(resource, { ...parts, planned }, modification.requiresReplace);
  const bytes = privateState.bytes();
  return {
    ...unplanned(request),
    plannedState: planned,
    requiresReplace: modification.requiresReplace.toSorted((a, b) => (pathText(a) < pathText(b) ? -1 : 1)),
    plannedPrivate: bytes instanceof Promise ? await bytes : bytes,
    ...(identity === undefined ? {} : { plannedIdentity: identity }),
    ...deferredPlan(instance, deferral, clientCapabilities),
  };
}

/** Reports set elements that became equal: a core expects as many elements as the configuration has. */
function mergedElements(path: Path): Diagnostic {
  const name = pathText(path);
  const why = `Two elements of ${name} are equal after defaults are filled in, and a set has no duplicates.`;
  return errorDiagnostic("Duplicate set element", `${why} Remove one of them, or change a value in one.`, path);
}

/** For a resource without an update handler: every change by the practitioner replaces the resource. */
function replaceOnChange({ shape }: CompiledResource, { config, prior, planned }: ChangeParts, requiresReplace: Path[]): void {
  const changed = shape.entries.filter((entry) => !isSame(partOf(planned, entry), partOf(prior, entry)));
  const byPractitioner = changed.filter((entry) => !isLeftToProvider(entry, partOf(config, entry)));
  // If only the provider's own values change, they require replacement: a plan without it would need an update handler.
  for (const entry of byPractitioner.length > 0 ? byPractitioner : changed) addPath(requiresReplace, [entry.step]);
}

/** Whether only the provider sets the entry: it is computed, and this configuration does not set it. */
function isLeftToProvider(entry: EntryShape, config: Value): boolean {
  return entry.kind !== "block" && entry.computed && entry.default === undefined && config.payload === null;
}
