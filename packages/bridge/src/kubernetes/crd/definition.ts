// SPDX-License-Identifier: Apache-2.0
import { ruleName } from "../mapping/component-name.ts";
import { kindVersion } from "../mapping/kind-version.ts";
import type { KindMapping, KindScope } from "../mapping/mapping.ts";
import { componentSpecSchema, componentStatusSchema } from "./component-schema.ts";
import { specSchema } from "./spec-schema.ts";
import { statusSchema } from "./status-schema.ts";
import { objectSchema, type StructuralSchema } from "./structural-schema.ts";
import { fieldsSchema, type DescriptionDetail } from "./value-schema.ts";

/** A custom resource definition, as the API server accepts it. */
export interface CustomResourceDefinition {
  readonly apiVersion: "apiextensions.k8s.io/v1";
  readonly kind: "CustomResourceDefinition";
  readonly metadata: {
    readonly name: string;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly group: string;
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly categories: readonly string[];
    };
    readonly scope: KindScope;
    readonly versions: readonly DefinitionVersion[];
  };
}

/** One version of a definition. */
export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly additionalPrinterColumns: readonly PrinterColumn[];
  readonly subresources?: { readonly status: Readonly<Record<string, never>> };
  readonly schema: { readonly openAPIV3Schema: StructuralSchema };
}

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
}

/** Options of {@link customResourceDefinition}. */
export interface DefinitionOptions {
  /** Name of the version of kinds whose rules have none, such as `v1beta1`. Default: `v1alpha1`. */
  readonly version?: string;
  /** Categories for `kubectl get <category>`. Default: `managed`. */
  readonly categories?: readonly string[];
  /**
   * Size above which descriptions are shortened, in bytes of JSON. Default: 250,000, so that the definition fits in the annotation that
   * `kubectl apply` writes without `--server-side`.
   */
  readonly preferredBytes?: number;
  /** Size above which deeply nested values lose their schemas, in bytes of JSON. Default: 1,200,000, below the limit of the API server. */
  readonly maxBytes?: number;
}

/** Annotation of a definition: the name of its resource type in the provider. */
export const typeNameAnnotation = "tenon.dev/resource-type";

/** Annotation of an object: its external name. */
export const externalNameAnnotation = "crossplane.io/external-name";

/**
 * Writes the definition of a kind. The same mapping and options give the same definition.
 *
 * A definition that would be too large loses detail: first descriptions become one sentence, then they are left out, then deeply nested values
 * lose their schemas. The API server stores values without a schema as they are; the reconciler checks them.
 */
export function customResourceDefinition(mapping: KindMapping, options: DefinitionOptions = {}): CustomResourceDefinition {
  const { group, names, scope } = mapping;
  const { version, categories = ["managed"] } = options;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${names.plural}.${group}`,
      annotations: { [typeNameAnnotation]: ruleName(mapping) },
    },
    spec: {
      group,
      names: { ...names, categories },
      scope,
      versions: [definitionVersion(kindVersion(mapping, version), fittingSchema(mapping, options))],
    },
  };
}

/** Creates a version that is served and stored. */
export function definitionVersion(name: string, schema: StructuralSchema): DefinitionVersion {
  return {
    name,
    served: true,
    storage: true,
    additionalPrinterColumns: printerColumns,
    subresources: { status: {} },
    schema: { openAPIV3Schema: schema },
  };
}

const printerColumns: readonly PrinterColumn[] = [
  { name: "SYNCED", type: "string", jsonPath: ".status.conditions[?(@.type=='Synced')].status" },
  { name: "READY", type: "string", jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
  { name: "EXTERNAL-NAME", type: "string", jsonPath: String.raw`.metadata.annotations.crossplane\.io/external-name` },
  { name: "AGE", type: "date", jsonPath: ".metadata.creationTimestamp" },
];

/** The amount of detail in a schema. */
interface Detail {
  readonly descriptions: DescriptionDetail;
  readonly depth: number;
}

/** Writes the schema of an object with as much detail as the limits allow. */
export function fittingSchema(
  mapping: KindMapping,
  { preferredBytes = 250_000, maxBytes = 1_200_000 }: Pick<DefinitionOptions, "preferredBytes" | "maxBytes"> = {},
): StructuralSchema {
  const limit = Math.min(preferredBytes, maxBytes);
  for (const descriptions of ["full", "sentence"] as const) {
    const schema = objectKindSchema(mapping, { descriptions, depth: Infinity });
    if (sizeOf(schema) <= limit) return schema;
  }
  let schema = objectKindSchema(mapping, { descriptions: "none", depth: Infinity });
  for (let depth = schemaDepth(schema) - 1; sizeOf(schema) > maxBytes && depth > 0; depth -= 1) {
    schema = objectKindSchema(mapping, { descriptions: "none", depth });
  }
  return schema;
}

function objectKindSchema(mapping: KindMapping, detail: Detail): StructuralSchema {
  const { scope, fields, schema, typeName, component, results = fields } = mapping;
  const text = detail.descriptions === "none" ? "" : schema.block.description.trim();
  return {
    description: text === "" ? `${component ? `The ${component}` : "Resource"} ${typeName} of the provider.` : text,
    ...objectSchema(
      {
        apiVersion: { type: "string" },
        kind: { type: "string" },
        metadata: { type: "object" },
        spec: component ? componentSpecSchema(mapping, component, detail) : specSchema(mapping, detail),
        status: component
          ? componentStatusSchema(component, fieldsSchema(results, { ...detail, part: "atProvider", scope }))
          : statusSchema(fieldsSchema(fields, { ...detail, part: "atProvider", scope })),
      },
      { required: ["spec"] },
    ),
  };
}

function sizeOf(schema: StructuralSchema): number {
  return Buffer.byteLength(JSON.stringify(schema));
}

/** Number of nested levels of a schema, itself included. */
function schemaDepth({ properties = {}, items, additionalProperties }: StructuralSchema): number {
  const inside = [...Object.values(properties), items, additionalProperties].filter((schema) => schema !== undefined);
  return 1 + Math.max(0, ...inside.map(schemaDepth));
}
