// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints, sortByCodePoint } from "../text/code-point-order.ts";
import type { Payload } from "./payload.ts";

/** Returns the payload of a map. The keys must be in normal form C. Of several entries with one key, the last is used. */
export function mapPayload(entries: Iterable<readonly [string, Payload]>): ReadonlyMap<string, Payload> {
  return sortedMap(new Map(entries));
}

/** Returns the map with its keys in order: the same map if they already are, which is common for decoded input. */
export function sortedMap<T>(map: Map<string, T>): Map<string, T> {
  let previous: string | undefined;
  for (const key of map.keys()) {
    if (previous !== undefined && compareCodePoints(previous, key) > 0) {
      return new Map(sortByCodePoint([...map.keys()]).map((each) => [each, map.get(each)!] as const));
    }
    previous = key;
  }
  return map;
}
