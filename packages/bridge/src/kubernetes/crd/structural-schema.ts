// SPDX-License-Identifier: Apache-2.0

/**
 * An OpenAPI schema in the restricted form that custom resource definitions must have ("structural"). Only the keywords that this package
 * uses are declared.
 *
 * @see Kubernetes: "Extend the Kubernetes API with CustomResourceDefinitions", "Specifying a structural schema"
 */
export interface StructuralSchema {
  readonly description?: string;
  readonly type?: "object" | "array" | "string" | "number" | "integer" | "boolean";
  readonly format?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: StructuralSchema;
  readonly items?: StructuralSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly allOf?: readonly StructuralSchema[];
  readonly anyOf?: readonly StructuralSchema[];
  readonly "x-kubernetes-preserve-unknown-fields"?: true;
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  readonly "x-kubernetes-validations"?: readonly ValidationRule[];
}

/** A validation rule in the Common Expression Language (CEL). */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
}

/** Creates the schema of an object with these properties. */
export function objectSchema(
  properties: Readonly<Record<string, StructuralSchema>>,
  { required = [], ...rest }: Omit<StructuralSchema, "type" | "properties"> = {},
): StructuralSchema {
  const { description, ...others } = rest;
  return {
    ...(description === undefined ? {} : { description }),
    type: "object",
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
    ...others,
  };
}

/**
 * Whether rules can select a field with this schema. Rules cannot select values without a type, nor arrays and maps of such values.
 *
 * @see Kubernetes apiserver pkg/cel/common, SchemaDeclType
 */
export function isSelectable({ type, items, additionalProperties }: StructuralSchema): boolean {
  if (type === undefined) return false;
  const elements = items ?? additionalProperties;
  return elements === undefined || isSelectable(elements);
}
