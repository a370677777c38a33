// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints, sortByCodePoint } from "./code-point-order.ts";
import type { Payload } from "./payload.ts";

/** The payload of a map with the given entries, whose keys are in normal form C. Of entries with one key the last counts. */
export function mapPayload(entries: Iterable<readonly [string, Payload]>): ReadonlyMap<string, Payload> {
  return sortedMap(new Map(entries));
}

/** The same map if its keys are in order, which what comes from elsewhere mostly is; another that is. */
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
