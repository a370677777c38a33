// SPDX-License-Identifier: Apache-2.0
import { hasErrors, type Diagnostic } from "../diagnostic.ts";
import { addressOf, enter, type OperationOptions } from "./operation.ts";
import { createResourceObject } from "./resource-object.ts";
import { callOptions, type ResourceType } from "./resource-type.ts";
import { transformedValue, type StoredObject, type UpgradeOutcome } from "./upgrade-object.ts";

/** Source of a move: an object of another resource type. */
export interface MoveSource {
  readonly providerAddress: string;
  readonly typeName: string;
  readonly stored: StoredObject;
}

/**
 * Moves an object of another resource type, of the same or another provider, to this type.
 *
 * @throws ProviderError where a call fails; `UNIMPLEMENTED` where the provider does not implement moves.
 */
export async function moveObject(type: ResourceType, source: MoveSource, options: OperationOptions = {}): Promise<UpgradeOutcome> {
  const { stored } = source;
  enter("move", type, options);
  const response = await type.provider.moveResourceState(
    {
      sourceProviderAddress: source.providerAddress,
      sourceTypeName: source.typeName,
      sourceSchemaVersion: stored.schemaVersion,
      sourceState: stored.state,
      sourcePrivate: stored.private,
      sourceIdentitySchemaVersion: stored.identitySchemaVersion ?? 0,
      targetTypeName: type.typeName,
      ...(stored.identity ? { sourceIdentity: { json: stored.identity } } : {}),
    },
    callOptions(options),
  );
  const diagnostics: Diagnostic[] = [...response.diagnostics];
  if (hasErrors(diagnostics)) return { diagnostics };
  const value = transformedValue(type, response.targetState, addressOf(type, options), diagnostics);
  if (value === undefined) return { diagnostics };
  const object = createResourceObject({
    value,
    private: response.targetPrivate,
    identity: response.targetIdentity,
    status: stored.status,
    schemaVersion: type.schema.version,
  });
  return { object, diagnostics };
}
