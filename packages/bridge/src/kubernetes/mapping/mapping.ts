// SPDX-License-Identifier: Apache-2.0
import type { IdentitySchema, NestedBlockMode, Schema } from "@tenon/schema";
import type { TypeMapping } from "../../type-mapping.ts";
import type { KindNames } from "../names/kind-name.ts";
import type { ReferenceRule, ResourceRules } from "./resource-rules.ts";

/** The mapping of a resource type to a kind of custom resources. */
export interface KindMapping {
  /** Name of the type in the provider, such as `time_static`. */
  readonly typeName: string;
  /** API group, such as `time.example.org`. */
  readonly group: string;
  readonly names: KindNames;
  readonly scope: KindScope;
  readonly schema: Schema;
  /** Undefined if resources of the type have no identity. */
  readonly identitySchema: IdentitySchema | undefined;
  readonly rules: ResourceRules;
  /** Fields of `spec.forProvider`, `spec.initProvider` and `status.atProvider`. */
  readonly fields: ObjectMapping;
  /** What the objects stand for. Default: resources of the provider. */
  readonly component?: ComponentName;
  /** Fields of `status.atProvider` if they are not those of `fields`. */
  readonly results?: ObjectMapping;
}

/** Component of a provider other than a resource type. */
export type ComponentName = "data" | "function" | "list" | "ephemeral";

/** Whether the objects of a kind belong to namespaces. */
export type KindScope = "Namespaced" | "Cluster";

/** The fields of an object: of a block, of nested attributes, or of an object type. */
export interface ObjectMapping {
  /** Fields in the order of their attributes' names. */
  readonly fields: readonly FieldMapping[];
  /** Fields by name in `spec`, without those that only `status` has. */
  readonly byParameter: ReadonlyMap<string, FieldMapping>;
  /** Fields by name in `status.atProvider`. */
  readonly byObservation: ReadonlyMap<string, FieldMapping>;
  /** Names of the fields in `spec` that are references to other resources. */
  readonly referenceNames: ReadonlySet<string>;
}

/** The mapping of an attribute or nested block to fields. */
export interface FieldMapping {
  /** Name of the attribute or nested block. */
  readonly attribute: string;
  /** Name of the field, such as `vpcId`. In `spec`, a secret is named {@link secretName} instead. */
  readonly name: string;
  readonly value: ValueMapping;
  /** Presence in `spec`. `absent` if only the provider sets the attribute, and if it holds the external name. */
  readonly parameter: "required" | "optional" | "absent";
  /** Whether `status.atProvider` has the field. Secrets and write-only values are left out. */
  readonly isObserved: boolean;
  /** Whether the provider may set the attribute. */
  readonly isComputed: boolean;
  /** Name of the field in `spec` for the reference to a key of a Secret, such as `passwordSecretRef`; undefined unless the attribute is secret. */
  readonly secretName: string | undefined;
  /** The fields in `spec` for references to other resources; undefined if no rule allows them. */
  readonly reference: ReferenceMapping | undefined;
  readonly isImmutable: boolean;
  /** Nesting of a block; undefined for an attribute. An absent repeated block is an empty collection, not null. */
  readonly block: NestedBlockMode | undefined;
  /** Minimum number of elements; 0 if there is none. */
  readonly minItems: number;
  /** Maximum number of elements; 0 if there is none. */
  readonly maxItems: number;
  readonly description: string;
}

/** The fields with which an attribute refers to other resources. */
export interface ReferenceMapping {
  readonly rule: ReferenceRule;
  /** Name of the field with the references, such as `vpcIdRef`, or `subnetIdsRefs` for several. */
  readonly referenceName: string;
  /** Name of the field with the selector, such as `vpcIdSelector`. */
  readonly selectorName: string;
  /** Whether the attribute is a list or set, and refers to several resources. */
  readonly isList: boolean;
}

/** The mapping of values of one type. */
export type ValueMapping = TypeMapping<ObjectMapping>;
