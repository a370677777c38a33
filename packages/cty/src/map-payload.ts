// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints } from "./code-point-order.ts";
import type { Payload } from "./payload.ts";

/** The payload of a map with the given entries, whose keys are in normal form C. Of entries with one key the last counts. */
export function mapPayload(entries: Iterable<readonly [string, Payload]>): ReadonlyMap<string, Payload> {
  const map = new Map(entries);
  let previous: string | undefined;
  for (const key of map.keys()) {
    if (previous !== undefined && compareCodePoints(previous, key) > 0) {
      return new Map([...map].sort(([a], [b]) => compareCodePoints(a, b)));
    }
    previous = key;
  }
  return map;
}
