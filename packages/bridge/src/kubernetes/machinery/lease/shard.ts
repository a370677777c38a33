// SPDX-License-Identifier: Apache-2.0

/** Returns the shard of an object: the FNV-1a hash (32 bits) of its UID, modulo the number of shards. */
export function shardOf(uid: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < uid.length; index++) hash = Math.imul(hash ^ uid.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % shards;
}

/**
 * Returns the number of shards that a replica should hold. The shares of all members differ by at most one, and together are all shards. Replicas
 * with the same list of members compute the same shares.
 */
export function fairShare(member: string, members: ReadonlySet<string>, shards: number): number {
  const sorted = [...members].sort();
  const position = sorted.indexOf(member);
  return Math.floor(shards / sorted.length) + (position < shards % sorted.length ? 1 : 0);
}
