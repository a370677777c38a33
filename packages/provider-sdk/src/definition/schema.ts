// SPDX-License-Identifier: Apache-2.0
import type { Problem } from "./attribute-options.ts";
import type { ValueViews } from "./value-views.ts";

/** An attribute, nested attribute or block: anything that has a name in a schema. */
export interface Entry {
  /** Type only: how it looks from each place. */
  readonly "~": ValueViews;
}

/** What an author declares: entries by name. */
export type Schema = Readonly<Record<string, Entry>>;

/** Refuses an attribute without flags, by name. Beside `S` and not its constraint: a failed constraint would lose every name. */
export type Sound<S> = {
  readonly [N in keyof S]: S[N] extends { readonly "~mode": "bare" }
    ? Problem<"an attribute of a schema says required, optional, computed or default">
    : unknown;
};

type WriteOnlyNames<S extends Schema> = keyof { [N in keyof S as [S[N]["~"]["state"]] extends [never] ? N : never]: N };

/**
 * A whole schema, seen from each place. An interface, not six type aliases: members are worked out only
 * when asked for, and the compiler prints what they are and not how they were made.
 */
export interface Views<S extends Schema> {
  /** What the practitioner wrote: no computed attribute; null where it may be left out. */
  readonly config: { readonly [N in keyof S as [S[N]["~"]["config"]] extends [never] ? never : N]: S[N]["~"]["config"] };
  /** The same during validation and plan, when anything may be unknown. */
  readonly configDraft: { readonly [N in keyof S as [S[N]["~"]["configDraft"]] extends [never] ? never : N]: S[N]["~"]["configDraft"] };
  /** What create and update are asked to make: only computed attributes may be unknown; write-only ones are null. */
  readonly planned: { readonly [N in keyof S as [S[N]["~"]["planned"]] extends [never] ? never : N]: S[N]["~"]["planned"] };
  /** The same during plan. */
  readonly draft: { readonly [N in keyof S as [S[N]["~"]["draft"]] extends [never] ? never : N]: S[N]["~"]["draft"] };
  /** What is recorded: wholly known, no write-only attribute. */
  readonly state: { readonly [N in keyof S as [S[N]["~"]["state"]] extends [never] ? never : N]: S[N]["~"]["state"] };
  /** What a handler answers: the state; a write-only attribute is left out, or null. */
  readonly answer: [WriteOnlyNames<S>] extends [never]
    ? { readonly [N in keyof S as [S[N]["~"]["answer"]] extends [never] ? never : N]: S[N]["~"]["answer"] }
    : { readonly [N in keyof S as [S[N]["~"]["answer"]] extends [never] ? never : N]: S[N]["~"]["answer"] } & {
        readonly [N in WriteOnlyNames<S>]?: null;
      };
}

/** What the practitioner wrote, all of it known. */
export type Config<S extends Schema> = Views<S>["config"];
/** What create and update are asked to make. */
export type Planned<S extends Schema> = Views<S>["planned"];
/** What is recorded. */
export type State<S extends Schema> = Views<S>["state"];
/** What a handler answers. */
export type Answer<S extends Schema> = Views<S>["answer"];

/** Where in a schema something is: an attribute's name, or the way down to it (`["rule", 0, "from"]`). */
export type AttributePath<S extends Schema> = (keyof S & string) | readonly [keyof S & string, ...(string | number)[]];

/** Objects below one name, by the way they repeat. */
export interface Repeated<X> {
  single: X;
  group: X;
  list: readonly X[];
  set: readonly X[];
  map: Readonly<Record<string, X>>;
}
