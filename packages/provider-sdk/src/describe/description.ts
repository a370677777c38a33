// SPDX-License-Identifier: Apache-2.0
import type { JsonValue } from "../definition/call-context.ts";

/** What can be said of anything that has a name. Texts are Markdown. */
interface Described {
  readonly description: string;
  /** Why not to use it any more, and what instead. */
  readonly deprecated?: string;
}

interface Entry extends Described {
  readonly name: string;
  /** What its validators demand, in words. */
  readonly validators: readonly string[];
  /** What its plan modifiers do, in words. */
  readonly planModifiers: readonly string[];
}

interface Flags {
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
  readonly sensitive: boolean;
  readonly writeOnly: boolean;
}

/** An attribute that is set as a whole. */
export interface AttributeDescription extends Entry, Flags {
  readonly kind: "attribute";
  /** As the cores say it: `list of string`. */
  readonly type: string;
  /** What it is where the configuration leaves it out. Null is no default: then the member is missing. */
  readonly default?: JsonValue;
  /** Whether the provider takes some different values for the same. */
  readonly hasEquivalents: boolean;
}

/** A nested attribute or a block: it has entries of its own. */
export interface NestedDescription extends Entry, Flags {
  readonly kind: "nested" | "block";
  readonly nesting: "single" | "group" | "list" | "set" | "map";
  /** Of nested attributes: what it is where the configuration leaves it out; null in it is left to the attribute inside. */
  readonly default?: JsonValue;
  /** Of blocks that repeat. */
  readonly minItems: number;
  /** 0: no limit. */
  readonly maxItems: number;
  /** What its rules demand of more than one entry, in words. */
  readonly rules: readonly string[];
  readonly entries: readonly EntryDescription[];
}

export type EntryDescription = AttributeDescription | NestedDescription;

/** A data source, an ephemeral resource, a list resource, an action, a state store: whatever has a name in a configuration, and a schema. */
export interface ComponentDescription extends Described {
  /** As a configuration says it: `notebook_note`. */
  readonly typeName: string;
  /** What its rules demand of more than one entry, in words. */
  readonly rules: readonly string[];
  readonly entries: readonly EntryDescription[];
}

/** A managed resource. */
export interface ResourceDescription extends ComponentDescription {
  /** Of its schema. */
  readonly version: number;
  /** Missing: it cannot be imported. */
  readonly import?: ImportDescription;
  /** Missing: it has none. */
  readonly identity?: IdentityDescription;
  /** Whether anything can be changed in place. */
  readonly updates: boolean;
  /** Versions of its schema whose state it can take over. */
  readonly upgradesFrom: readonly number[];
  /** Whether it takes over state of other resource types. */
  readonly moves: boolean;
}

/** How it is named on import. */
export type ImportDescription =
  /** `form` is an id with its parts named: `<project>/<name>`. */
  | { readonly by: "attributes"; readonly attributes: readonly string[]; readonly form: string }
  /** The provider makes something of the id that only it knows. */
  | { readonly by: "handler" };

export interface IdentityDescription {
  readonly mutable: boolean;
  readonly attributes: readonly {
    readonly name: string;
    readonly type: string;
    readonly optional: boolean;
    readonly description: string;
  }[];
}

export interface ParameterDescription {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly allowNull: boolean;
  readonly allowUnknown: boolean;
  readonly validators: readonly string[];
}

export interface FunctionDescription extends Described {
  readonly name: string;
  readonly summary: string;
  readonly parameters: readonly ParameterDescription[];
  /** Missing: it takes no more arguments than it has parameters. */
  readonly variadic?: ParameterDescription;
  readonly returns: string;
}

/** A provider with everything that is known of it before it runs, much of which the protocol cannot carry. JSON throughout. */
export interface ProviderDescription {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly deprecated?: string;
  /** What its rules demand of more than one entry of the configuration, in words. */
  readonly rules: readonly string[];
  /** Its configuration. */
  readonly entries: readonly EntryDescription[];
  /** By name, sorted, as everything below. */
  readonly resources: readonly ResourceDescription[];
  readonly dataSources: readonly ComponentDescription[];
  readonly ephemeralResources: readonly ComponentDescription[];
  /** Their schemas are those of the list's own configuration. */
  readonly listResources: readonly ComponentDescription[];
  readonly actions: readonly ComponentDescription[];
  readonly stateStores: readonly ComponentDescription[];
  readonly functions: readonly FunctionDescription[];
}
