// SPDX-License-Identifier: Apache-2.0
import { isNull, type Value } from "@tenon/cty";
import { attributeOf } from "../../value-parts.ts";
import type { ApiClient } from "../machinery/client/api-client.ts";
import { isNotFound } from "../machinery/client/api-error.ts";
import { secrets } from "../machinery/client/api-resource.ts";
import type { ComponentMapping } from "../mapping/map-components.ts";
import { findOwnedSecret } from "../reconcile/owned-secret.ts";
import { ownedMetadata, ownerUid, type Secret } from "../state/state-secret.ts";
import type { StoredEphemeral } from "../state/stored-state.ts";
import { secretText } from "../values/observation.ts";
import type { ComponentObject } from "./component-object.ts";

/** Label of the Secrets with the values of ephemeral resources: the UID of their object. */
export const ephemeralOwnerLabel = "tenon.dev/ephemeral-of";

/** Annotation of these Secrets: when the ephemeral resource was opened. */
export const openedAtAnnotation = "tenon.dev/opened-at";

/** Returns the namespace and name of the Secret for the values of an object. */
export function secretPlaceOf(owner: ComponentObject): StoredEphemeral["secret"] {
  const { name, namespace } = owner.spec.writeSecretToRef!;
  return { namespace: owner.metadata.namespace ?? namespace ?? "default", name };
}

/** Reads the Secret with the values of an object. @throws StepFailure if the Secret belongs to another object. */
export async function findEphemeralSecret(
  client: ApiClient,
  owner: ComponentObject,
  place: StoredEphemeral["secret"],
  signal: AbortSignal | undefined,
): Promise<Secret | undefined> {
  return await findOwnedSecret(client, owner, { ...place, label: ephemeralOwnerLabel, failureReason: "CannotWriteSecret" }, signal);
}

/**
 * Writes the values of an ephemeral resource, one key for each attribute that has a value. Strings are written as they are, other values as JSON.
 *
 * @param current - The Secret as it was read.
 */
export async function writeEphemeralSecret(
  client: ApiClient,
  kind: ComponentMapping,
  owner: ComponentObject,
  { secret: place, openedAt }: StoredEphemeral,
  result: Value,
  current: Secret | undefined,
): Promise<void> {
  const data: Record<string, string> = {};
  for (const { attribute, value } of kind.fields.fields) {
    const attributeValue = attributeOf(result, attribute);
    if (attributeValue === undefined || isNull(attributeValue)) continue;
    data[attribute] = Buffer.from(secretText(value, attributeValue)).toString("base64");
  }
  const metadata = { ...ownedMetadata(owner, place, ephemeralOwnerLabel), annotations: { [openedAtAnnotation]: openedAt } };
  const secret: Secret = { metadata, type: "Opaque", data };
  if (current === undefined) {
    await client.create<Secret>(secrets, secret);
    return;
  }
  const { uid, resourceVersion } = current.metadata;
  await client.replace<Secret>(secrets, { ...secret, metadata: { ...metadata, uid: uid!, resourceVersion: resourceVersion! } });
}

/** Deletes the Secret with the values of an object. Keeps a Secret that belongs to another object. */
export async function deleteEphemeralSecret(
  client: ApiClient,
  owner: ComponentObject,
  { namespace, name }: StoredEphemeral["secret"],
): Promise<void> {
  const secret = await client.find<Secret>(secrets, { namespace, name });
  if (secret?.metadata.labels?.[ephemeralOwnerLabel] !== ownerUid(owner)) return;
  const { uid, resourceVersion } = secret.metadata;
  try {
    await client.delete(secrets, { namespace, name }, { preconditions: { uid: uid!, resourceVersion: resourceVersion! } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
