// SPDX-License-Identifier: Apache-2.0
import { isUnknownPayload, payloadsSame, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { isEquivalent } from "./equivalence.ts";
import { bodyOf, hasEntries, type EntryShape, type ObjectShape } from "../shape/shape.ts";

/**
 * Returns for each configured element of a set the position of the candidate that corresponds to it, or -1. Elements of a set have no
 * keys, so they are matched by their configured values: attributes that are computed or have a default may differ. Each candidate is used
 * once. Equal candidates take precedence.
 */
export function matchElements(body: ObjectShape, configured: readonly Payload[], candidates: readonly Payload[]): readonly number[] {
  const taken = new Set<number>();
  const found = configured.map((element) => take(candidates, taken, (candidate) => payloadsSame(body.type, element, candidate)));
  return found.map((exact, index) =>
    exact >= 0 ? exact : take(candidates, taken, (candidate) => corresponds(body, configured[index]!, candidate)),
  );
}

function take(candidates: readonly Payload[], taken: Set<number>, fits: (candidate: Payload) => boolean): number {
  const at = candidates.findIndex((candidate, index) => !taken.has(index) && fits(candidate));
  if (at >= 0) taken.add(at);
  return at;
}

/** Whether a candidate agrees with all configured values of an element. */
function corresponds(body: ObjectShape, configured: Payload, candidate: Payload): boolean {
  if (isUnknownPayload(configured)) return true;
  if (configured === null || candidate === null || isUnknownPayload(candidate)) return configured === candidate;
  const config = configured as readonly Payload[];
  const values = candidate as readonly Payload[];
  return body.entries.every((entry) => agrees(entry, config[entry.slot]!, values[entry.slot]!));
}

function agrees(entry: EntryShape, config: Payload, value: Payload): boolean {
  if (entry.writeOnly || isUnknownPayload(config)) return true;
  if (config === null) return entry.computed || value === null;
  if (isEquivalent(entry, valueOf(entry.shape.type, config), valueOf(entry.shape.type, value))) return true;
  if (!hasEntries(entry)) return payloadsSame(entry.shape.type, config, value);
  if (value === null || isUnknownPayload(value)) return false;
  const body = bodyOf(entry);
  switch (entry.nesting) {
    case "list": {
      const [left, right] = [config as readonly Payload[], value as readonly Payload[]];
      return left.length === right.length && left.every((element, index) => corresponds(body, element, right[index]!));
    }
    case "set": {
      const [left, right] = [config as readonly Payload[], value as readonly Payload[]];
      return left.length === right.length && matchElements(body, left, right).every((at) => at >= 0);
    }
    case "map": {
      const [left, right] = [config as ReadonlyMap<string, Payload>, value as ReadonlyMap<string, Payload>];
      return left.size === right.size && [...left].every(([key, element]) => right.has(key) && corresponds(body, element, right.get(key)!));
    }
    default:
      return corresponds(body, config, value);
  }
}
