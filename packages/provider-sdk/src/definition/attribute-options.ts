// SPDX-License-Identifier: Apache-2.0
import type { PathExpression } from "../paths/path-expression.ts";
import type { Unknown } from "@tenon/schema";
import type { StandardSchema } from "./standard-schema.ts";
import type { Verdict } from "./verdict.ts";

/** How an attribute gets its value. `bare`: no flags, for the type of an element, member, parameter or result. */
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
 * Checks one value. The server skips values that are null, unknown or partly unknown. Returns an error as the rest of a sentence
 * about the attribute ("must be at most 80 characters long"), a `{ warning: "…" }`, a list of both, or undefined if the value is
 * valid; or a promise of one of these. The texts should not quote the value: the server appends it unless the attribute is sensitive.
 */
export interface Validator<T> {
  (value: T): Verdict | Promise<Verdict>;
  /** The rule in words, for documentation. */
  readonly description?: string;
}

/** The planned change of another attribute, as a plan modifier sees it. */
export interface RelatedChange {
  /** Its name in messages: `rule[0].from`. */
  readonly name: string;
  readonly config: unknown;
  /** The planned value before plan modifiers: with defaults, and with computed values unknown. */
  readonly planned: unknown;
  readonly state: unknown;
  /** Whether the planned value differs from the recorded value. An unknown planned value counts as different. */
  readonly changes: boolean;
}

/** The planned change of one attribute: the argument of a plan modifier. */
export interface AttributeChange<T> {
  /** The recorded value; null if there is none, as on create. */
  readonly state: T | null;
  /** The planned value after the plan modifiers that ran before. */
  readonly planned: T | Unknown | null;
  /** The configured value; null for computed attributes and for attributes that the configuration does not set. */
  readonly config: T | Unknown | null;
  /** The planned operation. Plan modifiers do not run for a destroy. */
  readonly operation: "create" | "update";
  /** Whether the object that contains the attribute is not recorded yet: on create, and in elements that an update adds. */
  readonly isNew: boolean;
  /**
   * Returns the changes at other paths: `here.parent().at("zone")`, where `here` is the attribute itself, or `fromRoot("zone")`. In an
   * element of a set, `here` refers to that element and to the recorded element that matches it; its name is `rules[...]`, because set
   * elements have no keys.
   */
  readonly related: (expression: PathExpression) => readonly RelatedChange[];
  /** Marks the change as impossible in place. Has no effect on create, or if the value does not change. */
  readonly requireReplace: () => void;
}

/** Adjusts one planned value: returns the planned value or a replacement for it. */
export interface PlanModifier<T> {
  (change: AttributeChange<T>): T | Unknown | null;
  /** What the modifier does, in words, for documentation. */
  readonly description?: string;
}

/** Flags of an attribute. A flag that is `false` is the same as an absent one. */
export interface AttributeFlags {
  /** The configuration must set it. */
  readonly required?: boolean;
  /** The configuration may set it. */
  readonly optional?: boolean;
  /** The provider sets it; together with `optional`, only if the configuration does not set it. */
  readonly computed?: boolean;
  /** Hidden in plans, log lines and error texts. */
  readonly sensitive?: boolean;
  /** Only `config` in create and update has the value: it is null in every plan and state. Terraform and OpenTofu 1.11. */
  readonly writeOnly?: boolean;
  /** Allows null for computed attributes, elements and members. Other attributes are nullable through `optional`. */
  readonly nullable?: boolean;
}

/** Options of an attribute. */
export interface AttributeOptions<T> extends AttributeFlags {
  /** Planned if the configured value is null. Makes the attribute optional and computed. */
  readonly default?: T;
  /** Purpose of the attribute. Markdown. */
  readonly description?: string;
  /** Warning for practitioners that set the attribute: the reason for the deprecation, and what to use instead. */
  readonly deprecated?: string;
  /**
   * Whether two known values mean the same, such as two JSON texts with different member orders. The plan then keeps the recorded
   * value if the configured value is equivalent to it, and the state keeps the planned or recorded value if a handler's result is.
   */
  readonly equivalent?: (a: T, b: T) => boolean;
  /** All run on the configured value. Schemas of libraries that implement Standard Schema are also validators. */
  readonly validators?: readonly (Validator<T> | StandardSchema<T>)[];
  /** Run in order, each on the result of the previous one. */
  readonly planModifiers?: readonly PlanModifier<T>[];
}

/** Type of the flag `N` in `O`: `true`, `false`, or `boolean` if the compiler does not know it. */
export type FlagIn<O, N extends string> = O extends { readonly [K in N]: infer F } ? F : false;

/** The modes of a combination of flags. For a flag of type `boolean`, the modes of both cases. */
type ModesOf<WriteOnly, Required, Default, Computed, Optional> = WriteOnly extends true
  ? Required extends true
    ? "writeOnlyRequired"
    : "writeOnlyOptional"
  : Required extends true
    ? "required"
    : Default extends true
      ? "default"
      : Computed extends true
        ? Optional extends true
          ? "optionalComputed"
          : "computed"
        : Optional extends true
          ? "optional"
          : "bare";

/** Leaves out `bare`, unless there is no other mode: `{ required: isNew, optional: !isNew }` always sets a flag. */
type WithFlags<M> = [M] extends ["bare"] ? M : Exclude<M, "bare">;

/** The mode of options whose flags are all `true`. The compiler resolves it with fewer types than {@link ModesOf}. */
type ModeOfTrue<O, N> = O extends { readonly writeOnly: true }
  ? O extends { readonly required: true }
    ? "writeOnlyRequired"
    : "writeOnlyOptional"
  : O extends { readonly required: true }
    ? "required"
    : "default" extends N
      ? "default"
      : O extends { readonly computed: true }
        ? O extends { readonly optional: true }
          ? "optionalComputed"
          : "computed"
        : O extends { readonly optional: true }
          ? "optional"
          : "bare";

/**
 * The mode that the flags of `O` define, with the options `N` set. A flag of type `boolean` gives a union of modes, whose views are unions,
 * too.
 */
export type ModeOf<O, N> = O[keyof O & ("required" | "optional" | "computed" | "writeOnly")] extends true
  ? ModeOfTrue<O, N>
  : WithFlags<
      ModesOf<
        FlagIn<O, "writeOnly">,
        FlagIn<O, "required">,
        "default" extends N ? true : false,
        FlagIn<O, "computed">,
        FlagIn<O, "optional">
      >
    >;

/**
 * The flags of the options `O`; other options are of any type. As the type of a parameter, it lets the compiler infer `O` even if a
 * validator is wrong, so that the compiler reports the validator only.
 */
export type FlagsOf<O> = { readonly [N in keyof O]: N extends keyof AttributeFlags ? O[N] : unknown };

/** A type to which no value is assignable. The compiler prints its sentence. */
export interface Invalid<Sentence extends string> {
  readonly "~problem": Sentence;
}

/**
 * Rejects options that are not in `Known`. Intersect it with a parameter of a generic type, which accepts excess properties silently.
 */
export type KnownOptionsOnly<O, Known> = {
  readonly [N in Exclude<keyof O, keyof Known>]: Invalid<`there is no option ${N & string}`>;
};

/** Rejects invalid combinations of the options `O`: the compiler prints a sentence at the invalid option. */
export type ValidOptions<O> = KnownOptionsOnly<O, AttributeOptions<never>> &
  (O extends { readonly required: true }
    ? {
        readonly optional?: false | Invalid<"an attribute cannot be both required and optional">;
        readonly computed?: false | Invalid<"a required attribute cannot be computed: use optional and computed">;
        readonly default?: Invalid<"a required attribute cannot have a default: remove required">;
      }
    : O extends { readonly writeOnly: true }
      ? {
          readonly computed?: false | Invalid<"a write-only attribute cannot be computed">;
          readonly default?: Invalid<"a write-only attribute cannot have a default">;
        }
      : unknown);

/**
 * The options that are set, by their names `N`: the mode depends on whether there is a default. The type of the default is no type
 * parameter, because a default of a wrong type, or with an extra attribute, would define that parameter instead of being an error.
 */
export type WithOptions<N extends string> = { readonly [Name in N]?: unknown };

/** Null if the options set `nullable`, or may set it. */
export type OrNull<O> = true extends FlagIn<O, "nullable"> ? null : never;
