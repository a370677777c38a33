// SPDX-License-Identifier: Apache-2.0

/**
 * What the schema of a resource type cannot say, as data. Paths are names of attributes and nested blocks joined by dots, such as
 * `listener.certificate_arn`; they have no index, and hold for every element.
 */
export interface ResourceRules {
  /** Kind of the custom resources. Default: the name of the type in Pascal case, without the part that all types of the provider share. */
  readonly kind?: string;
  /** How the external name and the provider's names of the resource belong together. Default: the provider chooses, attribute `id`. */
  readonly externalName?: ExternalNameRule;
  /** Attributes that may refer to other resources instead of holding a value. */
  readonly references?: Readonly<Record<string, ReferenceRule>>;
  /** Attributes that never get a value from the provider in `spec.forProvider`. */
  readonly skipLateInitialization?: readonly string[];
  /**
   * Attributes and nested blocks that cannot change after the creation. The API server refuses their changes, except inside of lists and sets
   * and of values without a type; there, the plan of the provider shows that a change needs a replacement.
   */
  readonly immutable?: readonly string[];
  /** Whether changes are asynchronous: a change must not block a worker. */
  readonly asynchronous?: boolean;
}

/** Rule of the external name, which the annotation `crossplane.io/external-name` holds. */
export interface ExternalNameRule {
  /** Attribute that holds the external name in the state. Default: `id`. */
  readonly attribute?: string;
  /**
   * Whether the external name is the configured value of that attribute, which `spec.forProvider` does not have then. The default of the
   * annotation is the name of the object. Otherwise, the provider chooses the external name.
   */
  readonly isArgument?: boolean;
  /**
   * Identifier for imports, with `{external_name}` and `{attribute}`, such as `{region}/{external_name}`; attributes are those of
   * `spec.forProvider`. Default: the external name itself.
   */
  readonly importId?: string;
}

/** What an attribute may refer to. */
export interface ReferenceRule {
  /** Resource type of the same provider. */
  readonly type: string;
  /** Attribute of the other resource whose value is taken. Default: its external name. */
  readonly attribute?: string;
}
