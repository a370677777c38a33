// SPDX-License-Identifier: Apache-2.0
import { celName } from "../names/cel-name.ts";
import type { ObjectMapping } from "../mapping/mapping.ts";
import { managementPolicies, policiesWithoutChanges } from "./management-policies.ts";
import { isSelectable, type StructuralSchema, type ValidationRule } from "./structural-schema.ts";

/** Parts of the schema of `spec` that require fields in `forProvider` or `initProvider`. */
export type RequiredFields = Pick<StructuralSchema, "allOf" | "x-kubernetes-validations">;

/** Maximum number of rules. The API server bounds the total cost of the rules of a schema; it was seen to accept 500 of these. */
const maxRules = 300;

/**
 * Requires the fields that the provider requires, unless the management policies exclude creation and updates. There is one rule for each
 * field, so that the message names the field. A field that no rule can select is required by a schema instead.
 *
 * @param forProvider - Schema of `forProvider`.
 */
export function requiredFields({ byParameter }: ObjectMapping, forProvider: StructuralSchema): RequiredFields {
  const rules: ValidationRule[] = [];
  const schemas: StructuralSchema[] = [];
  for (const [name, field] of byParameter) {
    if (field.parameter !== "required") continue;
    const selector = isSelectable(forProvider.properties![name]!) ? celName(name) : undefined;
    if (selector === undefined || rules.length >= maxRules) schemas.push(requiredBySchema(name));
    else rules.push({ rule: requiredByRule(selector), message: `spec.forProvider.${name} is a required parameter` });
  }
  return {
    ...(schemas.length > 0 ? { allOf: schemas } : {}),
    ...(rules.length > 0 ? { "x-kubernetes-validations": rules } : {}),
  };
}

const changes = ["*", "Create", "Update", "Plan"].map((policy) => `'${policy}' in self.managementPolicies`).join(" || ");

function requiredByRule(selector: string): string {
  return `!(${changes}) || has(self.forProvider.${selector}) || (has(self.initProvider) && has(self.initProvider.${selector}))`;
}

function requiredBySchema(name: string): StructuralSchema {
  return {
    anyOf: [
      // The API server reports the errors of the alternative that is valid in most parts. That is this one, which names the field.
      { properties: { forProvider: { required: [name] }, managementPolicies: { items: { enum: managementPolicies } } } },
      { properties: { initProvider: { required: [name] } }, required: ["initProvider"] },
      { properties: { managementPolicies: { items: { enum: policiesWithoutChanges } } } },
    ],
  };
}
