// SPDX-License-Identifier: Apache-2.0
// What is not compared, because it is random or depends on the time.
import type { Json } from "./outcome.ts";

/** Names of the normalisations, with their reasons. */
export const normalizations = {
  "plan-time": "the time of a plan is the time at which it was made",
  "random-ids": "ids that a provider makes are random, and so are the keys of deposed objects",
  "state-identity": "each side has a lineage and a serial of its own",
  "relevant-attribute-order": "tofu lists the relevant attributes in random order",
  "cycle-order": "tofu names the members of a cycle in random order",
  folders: "each side has a working folder of its own",
  "empty-resources": "after a failed creation tofu keeps the resource without instances in the state until the next apply",
  "check-order": "tofu writes the results of checks in random order",
} as const;

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** A text without random ids. */
export function normalizedText(text: string): string {
  return text
    .replaceAll(uuid, "uuid")
    .replaceAll(/(?<=deposed object |deposed: |deposed key )[\da-f]{8}/g, "deposed")
    .replaceAll(/[^\s'"]*\/tenon-case-\w+\/[ab]\b/g, "folder")
    .replaceAll(/(?<="summary":"Cycle: )[^"]*/g, (names) => names.split(", ").toSorted().join(", "));
}

/** A plan without its time and without random ids. */
export function normalizedPlan({ timestamp: _timestamp, relevant_attributes: relevant, ...plan }: Json): unknown {
  const sorted = (relevant as readonly Json[] | undefined)?.map((one) => JSON.stringify(one)).toSorted();
  return withoutIds({ ...plan, relevant_attributes: sorted });
}

/** A state file without what identifies it. */
export function normalizedState(text: string): unknown {
  const { lineage: _lineage, serial: _serial, check_results: checks, ...state } = JSON.parse(text) as Json;
  const sorted = (checks as readonly Json[] | null)
    ?.toSorted((a, b) => (String(a["config_addr"]) < String(b["config_addr"]) ? -1 : 1))
    .map((check) => ({ ...check, objects: (check["objects"] as readonly Json[] | null)?.toSorted(byAddress) ?? null }));
  const resources = (state["resources"] as readonly Json[]).filter(({ instances }) => (instances as readonly Json[]).length > 0);
  return withoutIds({ ...state, resources, check_results: sorted ?? null });
}

function byAddress(a: Json, b: Json): number {
  return String(a["object_addr"]) < String(b["object_addr"]) ? -1 : 1;
}

function withoutIds(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, part: unknown) => {
    if (key === "deposed" || key === "deposed_key") return "deposed";
    return typeof part === "string" ? part.replaceAll(uuid, "uuid") : part;
  });
}
