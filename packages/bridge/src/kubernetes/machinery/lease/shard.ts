// SPDX-License-Identifier: Apache-2.0

/** Returns the shard that an object belongs to: a hash (FNV-1a, 32 bits) of its UID, modulo the number of shards. */
export function shardOf(uid: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < uid.length; index++) hash = Math.imul(hash ^ uid.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % shards;
}

/**
 * Returns how many shards each replica should hold: as equally as possible, and all together every shard. The same on every replica that
 * sees the same members.
 */
export function fairShare(member: string, members: ReadonlySet<string>, shards: number): number {
  const sorted = [...members].sort();
  const position = sorted.indexOf(member);
  return Math.floor(shards / sorted.length) + (position < shards % sorted.length ? 1 : 0);
}
