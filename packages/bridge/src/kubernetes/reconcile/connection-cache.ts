// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { ObjectCache, withoutManagedFields, type ObjectCacheSettings } from "../machinery/cache/object-cache.ts";
import type { ApiClient } from "../machinery/client/api-client.ts";
import { secrets } from "../machinery/client/api-resource.ts";
import type { Secret } from "../state/state-secret.ts";

/** Label of connection Secrets: the UID of the owner. */
export const connectionOwnerLabel = "tenon.dev/connection-of";

/** A connection Secret in memory: with a digest instead of its data, which are secret. */
export interface CachedConnection extends Secret {
  readonly digest?: string;
}

/** Connection Secrets in memory, so that a reconcile that changes nothing need not read one. */
export type ConnectionCache = ObjectCache<CachedConnection>;

/** Creates a cache of the connection Secrets. */
export function connectionCache(
  client: ApiClient,
  settings: Pick<ObjectCacheSettings<CachedConnection>, "namespace" | "onStep">,
): ConnectionCache {
  return new ObjectCache<CachedConnection>(client, secrets, {
    ...settings,
    labelSelector: connectionOwnerLabel,
    transform: ({ data, ...secret }) => ({ ...withoutManagedFields(secret), digest: connectionDigest(data) }),
  });
}

/** Digest of the data of a connection Secret. */
export function connectionDigest(data: Secret["data"] = {}): string {
  const entries = Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(entries)).digest("base64");
}
