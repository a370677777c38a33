// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";
import type { IdentitySchema, NestedBlockMode, Schema } from "@tenon/schema";
import type { KindNames } from "../names/kind-name.ts";
import type { ReferenceRule, ResourceRules } from "./resource-rules.ts";

/** How a resource type appears as a kind of custom resources. */
export interface KindMapping {
  /** Name of the type in the provider, such as `time_static`. */
  readonly typeName: string;
  /** API group, such as `time.example.org`. */
  readonly group: string;
  readonly names: KindNames;
  readonly scope: KindScope;
  readonly schema: Schema;
  /** Absent where resources of the type have no identity. */
  readonly identitySchema: IdentitySchema | undefined;
  readonly rules: ResourceRules;
  /** Fields of `spec.forProvider`, `spec.initProvider` and `status.atProvider`. */
  readonly fields: ObjectMapping;
}

/** Whether the objects of a kind belong to namespaces. */
export type KindScope = "Namespaced" | "Cluster";

/** Fields of an object, a block or the attributes of a nested attribute. */
export interface ObjectMapping {
  /** Fields in the order of their attributes' names. */
  readonly fields: readonly FieldMapping[];
  /** Fields by their names in `spec`, without those that the spec does not have. */
  readonly byParameter: ReadonlyMap<string, FieldMapping>;
  /** Fields by their names in `status.atProvider`. */
  readonly byObservation: ReadonlyMap<string, FieldMapping>;
  /** Names of the fields in `spec` that refer to other resources. */
  readonly referenceNames: ReadonlySet<string>;
}

/** An attribute or nested block, and where it appears. */
export interface FieldMapping {
  /** Name of the attribute or nested block. */
  readonly attribute: string;
  /** Name in JSON, such as `vpcId`. In `spec`, a secret has the name of {@link secretName} instead. */
  readonly name: string;
  readonly value: ValueMapping;
  /** Presence in `spec`; `absent` for what only the provider sets, and for the external name. */
  readonly parameter: "required" | "optional" | "absent";
  /** Whether `status.atProvider` has the field: secrets and write-only values are left out. */
  readonly isObserved: boolean;
  /** Whether the provider may set the attribute. */
  readonly isComputed: boolean;
  /** Field in `spec` that refers to the key of a Secret with the value, such as `passwordSecretRef`. */
  readonly secretName: string | undefined;
  /** Fields in `spec` that refer to other resources. */
  readonly reference: ReferenceMapping | undefined;
  readonly isImmutable: boolean;
  /** Nesting of a block; undefined for an attribute. Absent blocks are empty collections, not null. */
  readonly block: NestedBlockMode | undefined;
  /** Smallest number of elements; 0 for none. */
  readonly minItems: number;
  /** Largest number of elements; 0 for no limit. */
  readonly maxItems: number;
  readonly description: string;
}

/** Fields that refer to other resources. */
export interface ReferenceMapping {
  readonly rule: ReferenceRule;
  /** Such as `vpcIdRef`, or `subnetIdsRefs` for several. */
  readonly referenceName: string;
  /** Such as `vpcIdSelector`. */
  readonly selectorName: string;
  /** Whether the attribute is a list or set, and refers to several resources. */
  readonly isList: boolean;
}

/** How values of one type appear. `type` is the type of the provider's value. */
export type ValueMapping =
  | { readonly kind: "string" | "number" | "bool" | "dynamic"; readonly type: Type }
  /** Array; a tuple has a mapping for each of its elements, the others have one for all. */
  | { readonly kind: "list" | "set" | "tuple"; readonly type: Type; readonly elements: readonly ValueMapping[] }
  /** Object with any keys. */
  | { readonly kind: "map"; readonly type: Type; readonly element: ValueMapping }
  | { readonly kind: "object"; readonly type: Type; readonly object: ObjectMapping };
