// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from "node:util";
import type { Value } from "@tenon/cty";
import type { ApiClient } from "../machinery/client/api-client.ts";
import { secrets } from "../machinery/client/api-resource.ts";
import { objectKey } from "../machinery/client/kubernetes-object.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import { ownedMetadata, ownerUid, type Secret } from "../state/state-secret.ts";
import { connectionDetails } from "../values/connection-details.ts";
import { connectionDigest, connectionOwnerLabel, type ConnectionCache } from "./connection-cache.ts";
import type { ManagedResource } from "./managed-resource.ts";
import { findOwnedSecret } from "./owned-secret.ts";

/** The type of connection Secrets, as in Crossplane. */
export const connectionSecretType = "connection.crossplane.io/v1alpha1";

/** Where connection Secrets are written. */
export interface ConnectionTarget {
  readonly client: ApiClient;
  /** A cache of connection Secrets. Default: each Secret is read before it is written. */
  readonly connections?: ConnectionCache["objects"];
}

/**
 * Writes the sensitive values of a resource to the Secret in `spec.writeConnectionSecretToRef`, unless the Secret has them already.
 *
 * @returns Whether the Secret was written.
 * @throws StepFailure if the Secret belongs to another object.
 */
export async function publishConnection(
  { client, connections }: ConnectionTarget,
  kind: KindMapping,
  owner: ManagedResource,
  value: Value,
  signal: AbortSignal,
): Promise<boolean> {
  const reference = owner.spec.writeConnectionSecretToRef;
  if (reference === undefined) return false;
  const namespace = reference.namespace ?? owner.metadata.namespace ?? "default";
  const { name } = reference;
  const data = Object.fromEntries([...connectionDetails(kind, value)].map(([key, text]) => [key, Buffer.from(text).toString("base64")]));
  const cached = connections?.get(objectKey({ namespace, name }));
  if (cached?.metadata.labels?.[connectionOwnerLabel] === ownerUid(owner) && cached.digest === connectionDigest(data)) return false;
  const place = { namespace, name, label: connectionOwnerLabel, failureReason: "CannotPublishConnectionDetails" };
  const current = await findOwnedSecret(client, owner, place, signal);
  if (current === undefined) {
    const metadata = ownedMetadata(owner, place, connectionOwnerLabel);
    await client.create<Secret>(secrets, { metadata, type: connectionSecretType, data }, { signal });
    return true;
  }
  if (isDeepStrictEqual(current.data ?? {}, data)) return false;
  await client.replace<Secret>(secrets, { ...current, data }, { signal });
  return true;
}
