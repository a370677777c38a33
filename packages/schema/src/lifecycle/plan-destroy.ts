// SPDX-License-Identifier: Apache-2.0
import { valueOf } from "@tenon/cty/unstable/payload";
import { hasErrors, type Diagnostic } from "../diagnostic.ts";
import { addressOf, clientCapabilitiesOf, enter, identityAs, withProviderMeta, type OperationOptions } from "./operation.ts";
import type { PlanOutcome } from "./plan-change.ts";
import { providerFault } from "./provider-fault.ts";
import type { ResourceObject } from "./resource-object.ts";
import { callOptions, type ResourceType } from "./resource-type.ts";

/**
 * Plans the destruction of an object. The provider is called if it has the `planDestroy` capability, and may refuse.
 *
 * @throws ProviderError where a call fails.
 */
export async function planDestroy(type: ResourceType, prior: ResourceObject, options: OperationOptions = {}): Promise<PlanOutcome> {
  const nothing = valueOf(prior.value.type, null);
  const common = { action: "delete", prior, before: prior.value, after: nothing, proposedNew: nothing, requiresReplace: [] } as const;
  if (!type.capabilities.planDestroy) {
    return { planned: { ...common, private: prior.private, ...identityAs("identity", prior.identity) }, diagnostics: [] };
  }
  enter("planDestroy", type, options);
  const response = await type.provider.planResourceChange(
    {
      typeName: type.typeName,
      priorState: prior.value,
      proposedNewState: nothing,
      config: nothing,
      priorPrivate: prior.private,
      clientCapabilities: clientCapabilitiesOf(options),
      ...withProviderMeta(options),
      ...identityAs("priorIdentity", prior.identity),
    },
    callOptions(options),
  );
  const diagnostics: Diagnostic[] = [...response.diagnostics];
  if (hasErrors(diagnostics)) return { diagnostics };
  if (response.plannedState.payload !== null) {
    diagnostics.push(
      providerFault(type, "Provider produced invalid plan", `planned a non-null destroy value for ${addressOf(type, options)}`),
    );
    return { diagnostics };
  }
  const identity = response.plannedIdentity?.payload == null ? prior.identity : response.plannedIdentity;
  const deferred = response.deferred && clientCapabilitiesOf(options).deferralAllowed ? { deferred: response.deferred } : {};
  return { planned: { ...common, private: response.plannedPrivate, ...identityAs("identity", identity), ...deferred }, diagnostics };
}
