// SPDX-License-Identifier: Apache-2.0
import { setTimeout as delay } from "node:timers/promises";
import type { ApiClient } from "../client/api-client.ts";
import { leases } from "../client/api-resource.ts";
import { LeaseObserver } from "./lease-observer.ts";
import type { Lease } from "./lease-record.ts";
import { groupLabel } from "./shard-leases.ts";

/** The leases of a group of replicas. */
export interface LeaseGroup {
  readonly client: Pick<ApiClient, "list">;
  readonly namespace: string;
  readonly group: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the names of the replicas of a group that hold leases and renew them. A replica that ended without notice leaves leases that are not
 * renewed: the result takes as long as the longest of their durations then.
 */
export async function liveHolders({ client, namespace, group, signal }: LeaseGroup): Promise<readonly string[]> {
  const observer = new LeaseObserver(0);
  const before = new Map<string, Lease>();
  for (;;) {
    const { items } = await client.list<Lease>(leases, { namespace, labelSelector: `${groupLabel}=${group}`, signal });
    const held = items.filter(({ spec }) => spec?.holderIdentity);
    for (const lease of held) observer.observe(lease);
    const renewed = held.filter(({ metadata: { uid, resourceVersion } }) => {
      const seen = before.get(uid!);
      return seen !== undefined && seen.metadata.resourceVersion !== resourceVersion;
    });
    if (renewed.length > 0) return [...new Set(renewed.map(({ spec }) => spec!.holderIdentity!))];
    if (held.every((lease) => observer.isFree(lease))) return [];
    for (const lease of held) if (!before.has(lease.metadata.uid!)) before.set(lease.metadata.uid!, lease);
    await delay(200, undefined, { signal });
  }
}
