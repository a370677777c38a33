// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { decode } from "@tenon/cty/json";
import { errorDiagnostic, hasErrors, type Diagnostic } from "../diagnostic.ts";
import type { RawState } from "../messages/common.ts";
import { identityType } from "../model/identity-type.ts";
import { impliedType } from "../model/implied-type.ts";
import { addressOf, enter, type OperationOptions } from "./operation.ts";
import { conformanceFaults, writeOnlyFaults } from "./provider-fault.ts";
import { createResourceObject, type ResourceObject } from "./resource-object.ts";
import { callOptions, type ResourceType } from "./resource-type.ts";
import { stripRemovedAttributes } from "./removed-attributes.ts";
import type { EncodedObject } from "./stored-object.ts";

/** Stored object, perhaps of an older schema version. */
export interface StoredObject {
  readonly schemaVersion: number;
  readonly state: RawState;
  /** Whether a state of the current version has no attributes that the schema lacks, so that none need to be removed. Default: false. */
  readonly hasOnlyKnownAttributes?: boolean;
  readonly private: Uint8Array;
  readonly status: "ready" | "tainted";
  /** JSON text of the identity as bytes. */
  readonly identity?: Uint8Array;
  /** Default: 0. */
  readonly identitySchemaVersion?: number;
}

/** Result of an upgrade or a move: an object of the current schema version, absent where diagnostics hold errors. */
export interface UpgradeOutcome {
  readonly object?: ResourceObject;
  readonly diagnostics: readonly Diagnostic[];
}

/** Converts the result of `encodeObject` for {@link upgradeObject}. */
export function storedObject(encoded: EncodedObject): StoredObject {
  const { value, identity, identitySchemaVersion } = encoded;
  return {
    schemaVersion: encoded.schemaVersion,
    state: { json: new TextEncoder().encode(value) },
    private: new Uint8Array(Buffer.from(encoded.private, "base64")),
    status: encoded.status,
    ...(identity === undefined ? {} : { identity: new TextEncoder().encode(identity) }),
    ...(identitySchemaVersion === undefined ? {} : { identitySchemaVersion }),
  };
}

/**
 * Upgrades a stored object to the provider's current schema version. The provider is called for an object of the current version too, as
 * it may correct the state; attributes that the schema does not have any more are removed before.
 *
 * @throws ProviderError where a call fails.
 * @see OpenTofu upgrade_resource_state.go
 */
export async function upgradeObject(type: ResourceType, stored: StoredObject, options: OperationOptions = {}): Promise<UpgradeOutcome> {
  const address = addressOf(type, options);
  const { version, block } = type.schema;
  if (stored.schemaVersion > version) return { diagnostics: [newerProvider(type, "Resource instance", "state", address)] };
  enter("upgrade", type, options);
  const json =
    stored.state.json && stored.schemaVersion === version && stored.hasOnlyKnownAttributes !== true
      ? stripRemovedAttributes(stored.state.json, impliedType(block))
      : stored.state.json;
  const response = await type.provider.upgradeResourceState(
    { typeName: type.typeName, version: stored.schemaVersion, rawState: json ? { json } : stored.state },
    callOptions(options),
  );
  const diagnostics: Diagnostic[] = [...response.diagnostics];
  if (hasErrors(diagnostics)) return { diagnostics };
  const value = transformedValue(type, response.upgradedState, address, diagnostics);
  if (value === undefined) return { diagnostics };
  const identity = await upgradeIdentity(type, stored, options, diagnostics);
  if (hasErrors(diagnostics)) return { diagnostics };
  return {
    object: createResourceObject({ value, private: stored.private, identity, status: stored.status, schemaVersion: version }),
    diagnostics,
  };
}

/** Checks the state of an upgrade or a move. Returns undefined, with diagnostics, where it is invalid. */
export function transformedValue(
  type: ResourceType,
  value: Value | undefined,
  address: string,
  diagnostics: Diagnostic[],
): Value | undefined {
  const summary = "Invalid resource state transformation";
  if (value === undefined || value.payload === null) {
    diagnostics.push(errorDiagnostic(summary, `Provider ${JSON.stringify(type.providerAddress)} returned no state for ${address}.`));
    return undefined;
  }
  const faults = conformanceFaults(
    type,
    summary,
    value,
    impliedType(type.schema.block),
    (at) => `transformed the state to an invalid value for ${at}`,
    address,
  );
  diagnostics.push(...faults, ...(faults.length > 0 ? [] : writeOnlyFaults(type, value)));
  return hasErrors(diagnostics) ? undefined : value;
}

async function upgradeIdentity(
  type: ResourceType,
  stored: StoredObject,
  options: OperationOptions,
  diagnostics: Diagnostic[],
): Promise<Value | undefined> {
  const { identitySchema } = type;
  if (identitySchema === undefined || stored.identity === undefined) return undefined;
  const { identitySchemaVersion = 0 } = stored;
  const address = addressOf(type, options);
  if (identitySchemaVersion > identitySchema.version) {
    diagnostics.push(newerProvider(type, "Resource identity", "identity", address));
    return undefined;
  }
  if (identitySchemaVersion === identitySchema.version) {
    return decode(stripRemovedAttributes(stored.identity, identityType(identitySchema)), identityType(identitySchema));
  }
  const response = await type.provider.upgradeResourceIdentity(
    { typeName: type.typeName, version: identitySchemaVersion, rawIdentity: { json: stored.identity } },
    callOptions(options),
  );
  diagnostics.push(...response.diagnostics);
  const { upgradedIdentity } = response;
  if (hasErrors(diagnostics) || upgradedIdentity === undefined) return undefined;
  const what = (at: string): string => `upgraded the identity to an invalid value for ${at}`;
  diagnostics.push(
    ...conformanceFaults(type, "Invalid resource state transformation", upgradedIdentity, identityType(identitySchema), what, address),
  );
  return upgradedIdentity;
}

function newerProvider(type: ResourceType, subject: string, what: string, address: string): Diagnostic {
  return errorDiagnostic(
    `${subject} managed by newer provider version`,
    `The current ${what} of ${address} was created by a newer version of provider ${JSON.stringify(type.providerAddress)} than the one selected. Upgrade the provider to work with it.`,
  );
}
