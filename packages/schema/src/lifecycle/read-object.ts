// SPDX-License-Identifier: Apache-2.0
import { same } from "@tenon/cty";
import { normalizeObjectFromLegacySdk } from "../change/legacy-normalization.ts";
import { assertObjectCompatible } from "../change/object-compatible.ts";
import type { Problem } from "../change/problem.ts";
import { hasErrors, type Diagnostic } from "../diagnostic.ts";
import type { Deferred } from "../messages/common.ts";
import { addressOf, clientCapabilitiesOf, enter, identityAs, withProviderMeta, type OperationOptions } from "./operation.ts";
import { objectFaults, writeOnlyFaults } from "./provider-fault.ts";
import { createResourceObject, type ResourceObject } from "./resource-object.ts";
import { callOptions, type ResourceType } from "./resource-type.ts";

/** What a read found. */
export interface ReadOutcome {
  /** The object as it is now; absent where it is gone. With errors, the object as it was. */
  readonly object?: ResourceObject;
  /** What changed behind our back; empty where nothing did, and where the object is gone. */
  readonly drift: readonly Problem[];
  /** The provider cannot tell yet, and the object is as it was. Only where the caller allowed it. */
  readonly deferred?: Deferred;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Asks the provider how an object is now. A tainted object stays tainted.
 *
 * @throws ProviderError where the provider cannot be asked.
 */
export async function readObject(type: ResourceType, object: ResourceObject, options: OperationOptions = {}): Promise<ReadOutcome> {
  enter("read", type, options);
  const response = await type.provider.readResource(
    {
      typeName: type.typeName,
      currentState: object.value,
      private: object.private,
      clientCapabilities: clientCapabilitiesOf(options),
      ...withProviderMeta(options),
      ...identityAs("currentIdentity", object.identity),
    },
    callOptions(options),
  );
  const diagnostics: Diagnostic[] = [...response.diagnostics];
  if (hasErrors(diagnostics)) return { object, drift: [], diagnostics };
  if (response.deferred && clientCapabilitiesOf(options).deferralAllowed)
    return { object, drift: [], deferred: response.deferred, diagnostics };
  diagnostics.push(
    ...objectFaults(type, "Provider produced invalid object", response.newState, "produced during refresh", addressOf(type, options)),
  );
  if (hasErrors(diagnostics)) return { object, drift: [], diagnostics };
  diagnostics.push(...writeOnlyFaults(type, response.newState));
  if (hasErrors(diagnostics)) return { object, drift: [], diagnostics };
  if (response.newState.payload === null) return { drift: [], diagnostics };

  const value = normalizeObjectFromLegacySdk(type.schema.block, response.newState);
  const current = createResourceObject({
    value,
    private: response.private,
    identity: response.newIdentity ?? object.identity,
    status: object.status,
    schemaVersion: type.schema.version,
  });
  const drift = same(object.value, value) ? [] : assertObjectCompatible(type.schema.block, object.value, value);
  return { object: current, drift, diagnostics };
}
