// SPDX-License-Identifier: Apache-2.0
import type { Invalid } from "./attribute-options.ts";
import type { ValueViews } from "./value-views.ts";

/** An attribute, nested attribute or block: anything that has a name in a schema. */
export interface Entry {
  /** Type only: the value's type in each context. */
  readonly "~": ValueViews;
}

/** A schema as the author declares it: entries by name. */
export type Schema = Readonly<Record<string, Entry>>;

/**
 * Rejects attributes without flags, and names them. Intersect it with `S` instead of using it as the constraint of `S`: if a constraint
 * fails, the compiler drops every attribute name.
 */
export type ValidSchema<S> = {
  readonly [N in keyof S]: S[N] extends { readonly "~mode": "bare" }
    ? Invalid<"an attribute of a schema must set required, optional, computed or default">
    : unknown;
};

type WriteOnlyNames<S extends Schema> = keyof { [N in keyof S as [S[N]["~"]["state"]] extends [never] ? N : never]: N };

/**
 * The type of a whole schema's value in each context. An interface, not six type aliases: the compiler computes a member only when
 * it is used, and prints the resulting type instead of the expression.
 */
export interface Views<S extends Schema> {
  /** The configuration. It has no computed attributes; optional attributes may be null. */
  readonly config: { readonly [N in keyof S as [S[N]["~"]["config"]] extends [never] ? never : N]: S[N]["~"]["config"] };
  /** The configuration during validation and planning, when any value may be unknown. */
  readonly configDraft: { readonly [N in keyof S as [S[N]["~"]["configDraft"]] extends [never] ? never : N]: S[N]["~"]["configDraft"] };
  /** The planned values that create and update receive: only computed attributes may be unknown; write-only attributes are null. */
  readonly planned: { readonly [N in keyof S as [S[N]["~"]["planned"]] extends [never] ? never : N]: S[N]["~"]["planned"] };
  /** The planned values during planning, when any value may be unknown. */
  readonly draft: { readonly [N in keyof S as [S[N]["~"]["draft"]] extends [never] ? never : N]: S[N]["~"]["draft"] };
  /** The recorded state: wholly known, without write-only attributes. */
  readonly state: { readonly [N in keyof S as [S[N]["~"]["state"]] extends [never] ? never : N]: S[N]["~"]["state"] };
  /** The result of a handler: the state; write-only attributes are absent or null. */
  readonly result: [WriteOnlyNames<S>] extends [never]
    ? { readonly [N in keyof S as [S[N]["~"]["result"]] extends [never] ? never : N]: S[N]["~"]["result"] }
    : { readonly [N in keyof S as [S[N]["~"]["result"]] extends [never] ? never : N]: S[N]["~"]["result"] } & {
        readonly [N in WriteOnlyNames<S>]?: null;
      };
}

/** The configuration, wholly known. */
export type Config<S extends Schema> = Views<S>["config"];
/** The planned values that create and update receive. */
export type Planned<S extends Schema> = Views<S>["planned"];
/** The recorded state. */
export type State<S extends Schema> = Views<S>["state"];
/** The result of a handler. */
export type Result<S extends Schema> = Views<S>["result"];

/** Path of an attribute: its name, or the steps from the root (`["rule", 0, "from"]`). */
export type AttributePath<S extends Schema> = (keyof S & string) | readonly [keyof S & string, ...(string | number)[]];

/** The type of a nested attribute's or block's value, by nesting mode. `X` is the type of one object. */
export interface Repeated<X> {
  single: X;
  group: X;
  list: readonly X[];
  set: readonly X[];
  map: Readonly<Record<string, X>>;
}
