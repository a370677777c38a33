// SPDX-License-Identifier: Apache-2.0
import type { KindScope, ReferenceMapping } from "../mapping/mapping.ts";
import { objectSchema, type StructuralSchema } from "./structural-schema.ts";

const text: StructuralSchema = { type: "string" };
const name: StructuralSchema = { type: "string", minLength: 1 };

/** Describes the reference to one key of a Secret. A namespaced object refers to Secrets of its own namespace, a cluster-scoped one to any. */
export function secretKeySchema(scope: KindScope): StructuralSchema {
  return scope === "Namespaced"
    ? objectSchema({ key: name, name }, { required: ["key", "name"] })
    : objectSchema({ key: name, name, namespace: name }, { required: ["key", "name", "namespace"] });
}

/** Describes the reference to a Secret, in the same way. */
export function secretSchema(scope: KindScope): StructuralSchema {
  return scope === "Namespaced"
    ? objectSchema({ name }, { required: ["name"] })
    : objectSchema({ name, namespace: name }, { required: ["name", "namespace"] });
}

const policy: StructuralSchema = objectSchema({
  resolution: { type: "string", enum: ["Required", "Optional"], default: "Required" },
  resolve: { type: "string", enum: ["Always", "IfNotPresent"] },
});

/** Describes the fields of a reference to another resource: by name, and by labels. Empty if the attribute has no reference. */
export function referenceSchemas(
  reference: ReferenceMapping | undefined,
  scope: KindScope,
): readonly (readonly [name: string, schema: StructuralSchema])[] {
  if (reference === undefined) return [];
  const { rule, referenceName, selectorName, isList } = reference;
  const namespace = scope === "Namespaced" ? { namespace: text } : {};
  const one = objectSchema({ name, ...namespace, policy }, { required: ["name"] });
  const selector = objectSchema({
    matchControllerRef: { type: "boolean" },
    matchLabels: { type: "object", additionalProperties: text },
    ...namespace,
    policy,
  });
  const what = `${rule.type}${rule.attribute === undefined ? "" : `, attribute ${rule.attribute}`}`;
  return [
    [referenceName, { description: `Refers to ${what}.`, ...(isList ? { type: "array", items: one } : one) }],
    [selectorName, { description: `Selects ${what}.`, ...selector }],
  ];
}
