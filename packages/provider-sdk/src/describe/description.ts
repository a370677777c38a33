// SPDX-License-Identifier: Apache-2.0
import type { JsonValue } from "../definition/call-context.ts";

/** Documentation texts of a provider, component or attribute. Texts are Markdown. */
interface DocumentationTexts {
  readonly description: string;
  /** The reason for the deprecation, and what to use instead. */
  readonly deprecated?: string;
}

interface Entry extends DocumentationTexts {
  readonly name: string;
  /** Descriptions of its validators. */
  readonly validators: readonly string[];
  /** Descriptions of its plan modifiers. */
  readonly planModifiers: readonly string[];
}

interface Flags {
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
  readonly sensitive: boolean;
  readonly writeOnly: boolean;
}

/** An attribute without attributes of its own. */
export interface AttributeDescription extends Entry, Flags {
  readonly kind: "attribute";
  /** The type in the notation of the cores: `list of string`. */
  readonly type: string;
  /** Planned if the configuration does not set the attribute. Absent if there is no default. */
  readonly default?: JsonValue;
  /** Whether the provider treats some different values as equivalent. */
  readonly hasEquivalents: boolean;
}

/** A nested attribute or a block, which contains entries. */
export interface NestedDescription extends Entry, Flags {
  readonly kind: "nested" | "block";
  readonly nesting: "single" | "group" | "list" | "set" | "map";
  /** For nested attributes: planned if the configuration does not set it. A null in it takes the default of the inner attribute. */
  readonly default?: JsonValue;
  /** Minimum number of blocks. */
  readonly minItems: number;
  /** Maximum number of blocks; 0 means no limit. */
  readonly maxItems: number;
  /** Descriptions of the rules about several entries. */
  readonly rules: readonly string[];
  readonly entries: readonly EntryDescription[];
}

/** An attribute, a nested attribute or a block. */
export type EntryDescription = AttributeDescription | NestedDescription;

/** A component with a schema: a resource, a data source, an ephemeral resource, a list resource, an action or a state store. */
export interface ComponentDescription extends DocumentationTexts {
  /** The type name in configurations: `notebook_note`. */
  readonly typeName: string;
  /** Descriptions of the rules about several entries. */
  readonly rules: readonly string[];
  readonly entries: readonly EntryDescription[];
}

/** A managed resource. */
export interface ResourceDescription extends ComponentDescription {
  /** Version of the schema. */
  readonly version: number;
  /** Absent if it cannot be imported. */
  readonly import?: ImportDescription;
  /** Absent if it has no identity. */
  readonly identity?: IdentityDescription;
  /** Whether it has an update handler. Without one, every change replaces the resource. */
  readonly updates: boolean;
  /** Schema versions from which it can upgrade recorded state. */
  readonly upgradesFrom: readonly number[];
  /** Whether it converts state of other resource types. */
  readonly moves: boolean;
}

/** How a resource is imported. */
export type ImportDescription =
  /** By an id that consists of attributes. `form` is its format: `<project>/<name>`. */
  | { readonly by: "attributes"; readonly attributes: readonly string[]; readonly form: string }
  /** By a handler of the provider, which interprets the id. */
  | { readonly by: "handler" };

/** The identity of a managed resource. */
export interface IdentityDescription {
  readonly mutable: boolean;
  readonly attributes: readonly {
    readonly name: string;
    readonly type: string;
    readonly optional: boolean;
    readonly description: string;
  }[];
}

/** A parameter of a provider function. */
export interface ParameterDescription {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly allowNull: boolean;
  readonly allowUnknown: boolean;
  readonly validators: readonly string[];
}

/** A provider function. */
export interface FunctionDescription extends DocumentationTexts {
  readonly name: string;
  readonly summary: string;
  readonly parameters: readonly ParameterDescription[];
  /** Absent if the function has no variadic parameter. */
  readonly variadic?: ParameterDescription;
  readonly returns: string;
}

/** A provider as data, including properties that the protocol cannot carry. It consists of JSON values only. */
export interface ProviderDescription {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly deprecated?: string;
  /** Descriptions of the rules about several entries of the configuration. */
  readonly rules: readonly string[];
  /** Entries of the provider's configuration. */
  readonly entries: readonly EntryDescription[];
  /** Components are sorted by name. */
  readonly resources: readonly ResourceDescription[];
  readonly dataSources: readonly ComponentDescription[];
  readonly ephemeralResources: readonly ComponentDescription[];
  /** Their entries are those of the `list` block. */
  readonly listResources: readonly ComponentDescription[];
  readonly actions: readonly ComponentDescription[];
  readonly stateStores: readonly ComponentDescription[];
  readonly functions: readonly FunctionDescription[];
}
