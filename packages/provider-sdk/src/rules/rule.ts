// SPDX-License-Identifier: Apache-2.0
import type { Path } from "@tenon/cty";
import type { PathExpression } from "../paths/path-expression.ts";

/** An attribute or block of the object that has the rule, by its name, or places anywhere in the configuration. */
export type Reference<N extends string> = N | PathExpression;

/** Whether something has a value. What is unknown may turn out to be null. */
export type Presence = "set" | "unset" | "unknown";

/** A place that a reference leads to. */
export interface ReferencedPlace {
  /** As messages name it. */
  readonly name: string;
  /** From the root of the configuration. */
  readonly path: Path;
  readonly state: Presence;
}

/** What a rule sees of one object of a configuration. */
export interface RuleView {
  /** Whether the attribute or block has a value. What is unknown may turn out to be null. */
  readonly stateOf: (name: string) => Presence;
  /** The value as `validate` would see it; null where there is none. */
  readonly valueOf: (name: string) => unknown;
  /** All places that a reference leads to: one where it is a name. */
  readonly placesOf: (reference: Reference<string>) => readonly ReferencedPlace[];
  /** Whether whoever asks knows write-only attributes. */
  readonly writeOnlyAllowed: boolean;
}

/** What a rule has found. */
export interface RuleFinding {
  readonly severity: "error" | "warning";
  /** The attribute it is reported at, by name or by its path from the root; undefined: the object as a whole. */
  readonly attribute: string | Path | undefined;
  /** A whole sentence. */
  readonly detail: string;
}

/** A rule about more than one attribute of the same object. `N` are their names. */
export interface ConfigRule<N extends string> {
  readonly attributes: readonly N[];
  /** Places it is about that are elsewhere. */
  readonly expressions?: readonly PathExpression[];
  /** The rule in words, for documentation. */
  readonly description: string;
  readonly check: (view: RuleView) => readonly RuleFinding[];
}

/** A rule that reports errors. `check` answers the attribute to report at, and what is wrong. */
export function rule<N extends string>(
  references: readonly Reference<N>[],
  description: string,
  check: (view: RuleView) => readonly Omit<RuleFinding, "severity">[],
): ConfigRule<N> {
  return { ...taken(references), description, check: (view) => check(view).map((finding) => ({ severity: "error", ...finding })) };
}

/** References taken apart. */
export function taken<N extends string>(references: readonly Reference<N>[]): Pick<ConfigRule<N>, "attributes" | "expressions"> {
  const expressions = references.filter((one): one is PathExpression => typeof one !== "string");
  return {
    attributes: references.filter((one): one is N => typeof one === "string"),
    ...(expressions.length === 0 ? {} : { expressions }),
  };
}

/** `a, b and c`. */
export function listed(names: readonly { toString: () => string }[]): string {
  const texts = names.map(String);
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;
}
