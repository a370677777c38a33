// SPDX-License-Identifier: Apache-2.0
import { same, type Value } from "@tenon/cty";
import { normalizeObjectFromLegacySdk } from "../change/legacy-normalization.ts";
import { assertObjectCompatible } from "../change/object-compatible.ts";
import type { RuleViolation } from "../change/rule-violation.ts";
import { hasErrors, type Diagnostic } from "../diagnostic.ts";
import type { Deferred } from "../messages/common.ts";
import { addressOf, clientCapabilitiesOf, enter, identityAs, withProviderMeta, type OperationOptions } from "./operation.ts";
import { objectFaults, writeOnlyFaults } from "./provider-fault.ts";
import { createResourceObject, type ResourceObject } from "./resource-object.ts";
import { callOptions, type ResourceType } from "./resource-type.ts";

/** Result of a read. */
export interface ReadOutcome {
  /** - `unchanged`: the object exists and equals the given object; `object` is the given object itself.
   * - `changed`: the object exists, and its value, private data, identity or schema version differs.
   * - `notFound`: the object does not exist any more.
   * - `deferred`: the provider cannot read the object yet. Only where the caller allowed deferral.
   * - `failed`: diagnostics hold errors.
   */
  readonly status: "unchanged" | "changed" | "notFound" | "deferred" | "failed";
  /** The object as it is now; absent for `notFound`. The given object for `unchanged`, `deferred` and `failed`. */
  readonly object?: ResourceObject;
  /** Where the value differs from the given object's; empty unless `status` is `changed`. */
  readonly drift: readonly RuleViolation[];
  /** Why the read was deferred; present for `deferred` only. */
  readonly deferred?: Deferred;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the current state of an object from the provider. A tainted object stays tainted.
 *
 * @throws ProviderError where the call fails.
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
  if (hasErrors(diagnostics)) return { status: "failed", object, drift: [], diagnostics };
  if (response.deferred && clientCapabilitiesOf(options).deferralAllowed)
    return { status: "deferred", object, drift: [], deferred: response.deferred, diagnostics };
  diagnostics.push(
    ...objectFaults(type, "Provider produced invalid object", response.newState, "produced during refresh", addressOf(type, options)),
  );
  if (hasErrors(diagnostics)) return { status: "failed", object, drift: [], diagnostics };
  diagnostics.push(...writeOnlyFaults(type, response.newState));
  if (hasErrors(diagnostics)) return { status: "failed", object, drift: [], diagnostics };
  if (response.newState.payload === null) return { status: "notFound", drift: [], diagnostics };

  const value = normalizeObjectFromLegacySdk(type.schema.block, response.newState);
  const current = createResourceObject({
    value,
    private: response.private,
    identity: response.newIdentity ?? object.identity,
    status: object.status,
    schemaVersion: type.schema.version,
  });
  if (!same(object.value, value)) {
    return { status: "changed", object: current, drift: assertObjectCompatible(type.schema.block, object.value, value), diagnostics };
  }
  return isUnchanged(object, current)
    ? { status: "unchanged", object, drift: [], diagnostics }
    : { status: "changed", object: current, drift: [], diagnostics };
}

/** Whether everything except the value is unchanged. */
function isUnchanged(before: ResourceObject, now: ResourceObject): boolean {
  return (
    before.schemaVersion === now.schemaVersion &&
    Buffer.compare(before.private, now.private) === 0 &&
    isSameIdentity(before.identity, now.identity)
  );
}

function isSameIdentity(before: Value | undefined, now: Value | undefined): boolean {
  if (before === undefined || now === undefined) return before === now;
  return same(before, now);
}
