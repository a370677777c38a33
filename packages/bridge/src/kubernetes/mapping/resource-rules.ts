// SPDX-License-Identifier: Apache-2.0

/**
 * Rules about a resource type that its schema does not contain, as data. A path consists of names of attributes and nested blocks, joined by dots,
 * such as `listener.certificate_arn`. It has no indexes, and holds for all elements.
 */
export interface ResourceRules {
  /** Kind of the custom resources. Default: the name of the type in Pascal case, without the first word if all types of the provider share it. */
  readonly kind?: string;
  /** Which attribute is the external name, and who sets it. Default: the attribute `id`, which the provider sets. */
  readonly externalName?: ExternalNameRule;
  /** Attributes that may be set with a reference to another resource. */
  readonly references?: Readonly<Record<string, ReferenceRule>>;
  /** Attributes whose values are never copied from the provider to `spec.forProvider`. */
  readonly skipLateInitialization?: readonly string[];
  /**
   * Attributes and nested blocks that cannot be changed after the creation. The API server rejects their changes, except inside lists, sets and
   * values without a type. There, the provider's plan shows that a change requires a replacement.
   */
  readonly immutable?: readonly string[];
  /** Whether changes run as asynchronous operations: they take long, and would block a worker. */
  readonly asynchronous?: boolean;
  /**
   * Texts in errors of imports which say that the resource does not exist, such as `was not found`. For providers that report an error then: an
   * import is a failure if one of its errors has none of these texts. Upper and lower case are the same.
   */
  readonly notFoundErrors?: readonly string[];
  /** Version of the definition, such as `v1alpha2`, where it is not that of the other kinds: after a migration. */
  readonly version?: string;
  /** Fields that the present schema has renamed or removed, for the migration of stored objects. */
  readonly moves?: FieldMoves;
}

/** Fields that a later schema has renamed or removed. Paths have no indexes, such as `rules.portRange`: they hold for every element. */
export interface FieldMoves {
  /** New paths of fields below `spec.forProvider` and `spec.initProvider`, by old path. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Paths of fields whose values may be dropped. A removed field that is not listed here is a problem if the object sets it. */
  readonly removed?: readonly string[];
}

/** A rule about the external name, which is stored in the annotation `crossplane.io/external-name`. */
export interface ExternalNameRule {
  /** Attribute of the state that has the external name. Default: `id`. */
  readonly attribute?: string;
  /**
   * Whether the practitioner sets the external name. The annotation configures the attribute then, and `spec.forProvider` does not have it; the
   * default of the annotation is the name of the object. Default: false; the provider sets the external name.
   */
  readonly isArgument?: boolean;
  /**
   * Template of the identifier for imports, such as `{region}/{external_name}`. In braces are `external_name` or the name of a configured
   * attribute. Default: the external name.
   */
  readonly importId?: string;
}

/** A rule about the target of a reference. */
export interface ReferenceRule {
  /** Resource type of the same provider. */
  readonly type: string;
  /** Attribute of the other resource that provides the value. Default: the external name. */
  readonly attribute?: string;
}
