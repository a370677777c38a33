// SPDX-License-Identifier: Apache-2.0
import type { ClientCapabilities, PlanResourceChangeRequest, PlanResourceChangeResponse } from "@tenon/schema";
import type { Deferral } from "../call/deferral.ts";
import type { Bare } from "../call/rpc.ts";
import type { ServedInstance } from "../instance/served-instance.ts";

type Response = Bare<PlanResourceChangeResponse>;

/** The response if the provider cannot plan the change: the core's proposal, unchanged. */
export function unplanned({ proposedNewState, priorPrivate, priorIdentity }: PlanResourceChangeRequest): Response {
  const plannedIdentity = priorIdentity === undefined ? {} : { plannedIdentity: priorIdentity };
  return { plannedState: proposedNewState, requiresReplace: [], plannedPrivate: priorPrivate, ...plannedIdentity };
}

/** The reason why the plan is deferred, if it is: the handler's own reason, or else the provider's. @see rule 13 in test/rules */
export function deferredPlan(
  { configuration }: ServedInstance,
  deferral: Deferral,
  capabilities: ClientCapabilities | undefined,
): Pick<Response, "deferred"> {
  const ofProvider = configuration.kind === "deferred" && capabilities?.deferralAllowed === true ? configuration.deferred : undefined;
  const deferred = deferral.deferred() ?? ofProvider;
  return deferred === undefined ? {} : { deferred };
}
