// SPDX-License-Identifier: Apache-2.0
import type { KindMapping, KindScope } from "../mapping/mapping.ts";
import { managementPolicies } from "./management-policies.ts";
import { secretSchema } from "./reference-schema.ts";
import { requiredFields } from "./required-fields.ts";
import { objectSchema, type StructuralSchema } from "./structural-schema.ts";
import { fieldsSchema, type ValueSchemaOptions } from "./value-schema.ts";

const name: StructuralSchema = { type: "string", minLength: 1 };

/** Describes `spec`. */
export function specSchema({ fields, scope }: KindMapping, options: Omit<ValueSchemaOptions, "part" | "scope">): StructuralSchema {
  const part = (part: "forProvider" | "initProvider"): StructuralSchema => fieldsSchema(fields, { ...options, part, scope });
  const forProvider = part("forProvider");
  const properties = {
    ...(scope === "Cluster"
      ? {
          deletionPolicy: {
            description: "What happens to the resource when the object is deleted.",
            type: "string",
            enum: ["Orphan", "Delete"],
            default: "Delete",
          },
        }
      : {}),
    forProvider,
    initProvider: {
      description: "Fields of forProvider that only the creation uses. Later changes of them are ignored.",
      ...part("initProvider"),
    },
    managementPolicies: {
      description: "Operations that are allowed on the resource.",
      type: "array",
      items: { type: "string", enum: managementPolicies },
      // Without a maximum, the API server would estimate too high a cost for the rules about required fields, and reject them.
      maxItems: managementPolicies.length,
      default: ["*"],
    },
    providerConfigRef: providerConfigRefSchema(scope),
    writeConnectionSecretToRef: {
      description: "Secret that receives the sensitive values of the resource.",
      ...secretSchema(scope),
    },
  } as const satisfies Readonly<Record<string, StructuralSchema>>;
  return objectSchema(properties, { required: ["forProvider"], ...requiredFields(fields, forProvider) });
}

/** Describes `spec.providerConfigRef`. Cluster-scoped kinds have one kind of configurations. */
export function providerConfigRefSchema(scope: KindScope): StructuralSchema {
  const kinds = scope === "Namespaced" ? ["ClusterProviderConfig", "ProviderConfig"] : ["ProviderConfig"];
  const kind = kinds[0]!;
  return {
    description: "Configuration of the provider.",
    ...objectSchema({ kind: { type: "string", enum: kinds, default: kind }, name }, { required: ["name"] }),
    default: { kind, name: "default" },
  };
}
