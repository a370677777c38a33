// SPDX-License-Identifier: Apache-2.0
import { objectSchema, type StructuralSchema } from "./structural-schema.ts";

const text: StructuralSchema = { type: "string" };
const time: StructuralSchema = { type: "string", format: "date-time" };
const generation: StructuralSchema = { type: "integer", format: "int64" };

/** Describes `status.conditions`. */
export const conditionsSchema: StructuralSchema = {
  type: "array",
  items: objectSchema(
    { lastTransitionTime: time, message: text, observedGeneration: generation, reason: text, status: text, type: text },
    { required: ["lastTransitionTime", "reason", "status", "type"] },
  ),
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["type"],
};

/** Changes of values. `from` and `to` are JSON texts; they are absent for sensitive and unknown values. */
const changes: StructuralSchema = {
  type: "array",
  items: objectSchema(
    {
      path: text,
      from: text,
      to: text,
      sensitive: { type: "boolean" },
      unknown: { type: "boolean" },
      requiresReplacement: { type: "boolean" },
    },
    { required: ["path"] },
  ),
};

/** Number of changes that are not listed. */
const omittedChanges: StructuralSchema = { type: "integer", format: "int64" };

/** Describes `status`, with the given schema of `atProvider`. */
export function statusSchema(atProvider: StructuralSchema): StructuralSchema {
  return objectSchema({
    atProvider,
    conditions: conditionsSchema,
    drift: {
      description: "Differences from the last known state.",
      ...objectSchema({ changes, message: text, observedAt: time, omittedChanges }),
    },
    observedGeneration: generation,
    operation: {
      description: "Operation in progress.",
      ...objectSchema({ message: text, startedAt: time, type: text }),
    },
    plan: {
      description: "Preview of the next change.",
      ...objectSchema({ action: text, changes, message: text, omittedChanges, plannedAt: time }),
    },
  });
}
