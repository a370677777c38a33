// SPDX-License-Identifier: Apache-2.0
import type { PathExpression } from "../paths/path-expression.ts";
import type { Unknown } from "../unknown.ts";
import type { StandardSchema } from "../validators/standard-schema.ts";
import type { Verdict } from "../validators/verdict.ts";

/** How an attribute gets its value. `bare` is a type with no flags: an element, a member, a parameter. */
export type Mode =
  | "bare"
  | "required"
  | "optional"
  | "computed"
  | "optionalComputed"
  | "default"
  | "writeOnlyRequired"
  | "writeOnlyOptional";

/**
 * Checks one value. Unknown and null never reach it, nor does a value that is only partly known. Answers what is wrong as the
 * rest of a sentence about the attribute ("must be at most 80 characters long"), a `{ warning: "…" }`, a list of both, or undefined;
 * or a promise of that. The answer should not quote the value: the server adds it where the attribute is not sensitive.
 */
export interface Validator<T> {
  (value: T): Verdict | Promise<Verdict>;
  /** The rule in words, for documentation. */
  readonly description?: string;
}

/** A place elsewhere, as a plan modifier sees it. */
export interface RelatedChange {
  /** As messages name it: `rule[0].from`. */
  readonly name: string;
  readonly config: unknown;
  /** As it is before plan modifiers: defaults are in, and what is computed is unknown. */
  readonly planned: unknown;
  readonly state: unknown;
  /** Whether what is planned differs from what is recorded; what is not known yet does. */
  readonly changes: boolean;
}

/** What a plan modifier sees of one attribute. */
export interface PlannedChange<T> {
  /** What is recorded; null where nothing is, also while the resource is created. */
  readonly state: T | null;
  /** What is planned so far. */
  readonly planned: T | Unknown | null;
  /** What the practitioner wrote; null for a computed attribute and where the attribute is left out. */
  readonly config: T | Unknown | null;
  /** Whether the resource exists already. A destroy asks no plan modifiers. */
  readonly operation: "create" | "update";
  /** Whether the object that the attribute belongs to is not recorded yet: on create, and in elements that an update adds. */
  readonly isNew: boolean;
  /**
   * Places elsewhere: `here.parent().at("zone")`, where `here` is the attribute itself, or `fromRoot("zone")`. In an element of a set `here`
   * stays with that element, and with the one that it was before; its name is `rules[...]` then, as it has no key.
   */
  readonly related: (expression: PathExpression) => readonly RelatedChange[];
  /** Says that this change cannot be made in place. Without effect on create, and where the value does not change. */
  readonly requireReplace: () => void;
}

/** Adjusts one planned value: answers it, or another one. */
export interface PlanModifier<T> {
  (change: PlannedChange<T>): T | Unknown | null;
  /** What it does in words, for documentation. */
  readonly description?: string;
}

/** What is said about an attribute. */
export interface AttributeOptions<T> {
  /** The configuration must set it. */
  readonly required?: true;
  /** The configuration may set it. */
  readonly optional?: true;
  /** The provider sets it; together with `optional` where the configuration does not. */
  readonly computed?: true;
  /** Hidden in plans; never in a log line or an error text. */
  readonly sensitive?: true;
  /** Handed to create and update and then forgotten: null in every plan and state. Terraform and OpenTofu 1.11. */
  readonly writeOnly?: true;
  /** Null is an answer: for computed attributes, elements and members. Elsewhere `optional` says it. */
  readonly nullable?: true;
  /** Taken when the configuration has null. Makes the attribute optional and computed. */
  readonly default?: T;
  /** What it is for. Markdown. */
  readonly description?: string;
  /** Why and what to use instead; whoever sets the attribute is warned with it. */
  readonly deprecated?: string;
  /**
   * Whether two values mean the same, such as JSON with its members in another order. What is recorded is then kept when the
   * configuration says it differently, and what is planned or recorded when a handler does. Asked about known values only.
   */
  readonly equivalent?: (a: T, b: T) => boolean;
  /** All are run, on what the practitioner wrote. Schemas of libraries that follow Standard Schema are validators too. */
  readonly validators?: readonly (Validator<T> | StandardSchema<T>)[];
  /** Run in order, each on what the one before it answered. */
  readonly planModifiers?: readonly PlanModifier<T>[];
}

/** The mode that the flags of `O` make. */
export type ModeOf<O> = O extends { readonly writeOnly: true }
  ? O extends { readonly required: true }
    ? "writeOnlyRequired"
    : "writeOnlyOptional"
  : O extends { readonly required: true }
    ? "required"
    : O extends { readonly default: unknown }
      ? "default"
      : O extends { readonly computed: true }
        ? O extends { readonly optional: true }
          ? "optionalComputed"
          : "computed"
        : O extends { readonly optional: true }
          ? "optional"
          : "bare";

/** A type that nothing is assignable to; the compiler prints its sentence. */
export interface Problem<Sentence extends string> {
  readonly "~problem": Sentence;
}

/**
 * Refuses options that are not among `Known`. A parameter of generic type takes them silently; this is intersected with it.
 */
export type NoOthers<O, Known> = {
  readonly [N in Exclude<keyof O, keyof Known>]: Problem<`no option is called ${N & string}`>;
};

/** `O` itself, or a sentence at the option that is wrong: the sentence is what the compiler prints. */
export type Checked<O> = NoOthers<O, AttributeOptions<never>> &
  (O extends { readonly required: true }
    ? {
        readonly optional?: Problem<"an attribute is required or optional, not both">;
        readonly computed?: Problem<"a required attribute is never computed: use optional and computed">;
        readonly default?: Problem<"a required attribute never takes its default: leave out required">;
      }
    : O extends { readonly writeOnly: true }
      ? {
          readonly computed?: Problem<"a write-only attribute is never computed">;
          readonly default?: Problem<"a write-only attribute has no default">;
        }
      : unknown);

/** Null, where the options allow it as an answer. */
export type OrNull<O> = O extends { readonly nullable: true } ? null : never;
