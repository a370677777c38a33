// SPDX-License-Identifier: Apache-2.0
import type { ComponentName, KindMapping } from "../mapping/mapping.ts";
import { secretSchema } from "./reference-schema.ts";
import { providerConfigRefSchema } from "./spec-schema.ts";
import { conditionsSchema } from "./status-schema.ts";
import { objectSchema, type StructuralSchema } from "./structural-schema.ts";
import { fieldsSchema, type ValueSchemaOptions } from "./value-schema.ts";

/** Largest number of resources in the status of a list: the API server stores objects of at most 1.5 MB. */
export const maxListed = 1_000;

/** Describes `spec` of a kind that only reads. */
export function componentSpecSchema(
  { fields, scope }: KindMapping,
  component: ComponentName,
  options: Omit<ValueSchemaOptions, "part" | "scope">,
): StructuralSchema {
  const parameters = fieldsSchema(fields, { ...options, part: "forProvider", scope });
  const required = [...fields.byParameter].filter(([, { parameter }]) => parameter === "required").map(([name]) => name);
  const isEphemeral = component === "ephemeral";
  return objectSchema(
    {
      forProvider: { ...parameters, ...(required.length > 0 ? { required } : {}), ...(required.length > 0 ? {} : { default: {} }) },
      providerConfigRef: providerConfigRefSchema(scope),
      ...(component === "list" ? listProperties : {}),
      ...(component === "data"
        ? { writeConnectionSecretToRef: { description: "Secret for the sensitive values.", ...secretSchema(scope) } }
        : {}),
      ...(isEphemeral ? { writeSecretToRef: { description: "Secret for the result.", ...secretSchema(scope) } } : {}),
    },
    { required: [...(required.length > 0 ? ["forProvider"] : []), ...(isEphemeral ? ["writeSecretToRef"] : [])] },
  );
}

const listProperties: Readonly<Record<string, StructuralSchema>> = {
  includeResources: { description: "Whether the status has the whole resources.", type: "boolean", default: false },
  limit: { description: "Maximum number of resources.", type: "integer", format: "int64", default: 100, minimum: 1, maximum: maxListed },
};

/** Describes `status` of a kind that only reads. */
export function componentStatusSchema(component: ComponentName, atProvider: StructuralSchema): StructuralSchema {
  const time: StructuralSchema = { type: "string", format: "date-time" };
  return objectSchema({
    ...(component === "ephemeral"
      ? {
          openedAt: { description: "When the values in the Secret were opened.", ...time },
          renewAt: { description: "Time before which they are renewed.", ...time },
        }
      : { atProvider }),
    conditions: conditionsSchema,
    observedGeneration: { type: "integer", format: "int64" },
  });
}
