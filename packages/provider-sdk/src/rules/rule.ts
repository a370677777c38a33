// SPDX-License-Identifier: Apache-2.0

/** What a rule sees of one object of a configuration. */
export interface RuleView {
  /** Whether the attribute or block has a value. What is unknown may turn out to be null. */
  readonly stateOf: (name: string) => "set" | "unset" | "unknown";
  /** The value as `validate` would see it; null where there is none. */
  readonly valueOf: (name: string) => unknown;
  /** Whether whoever asks knows write-only attributes. */
  readonly writeOnlyAllowed: boolean;
}

/** What a rule has found. */
export interface RuleFinding {
  readonly severity: "error" | "warning";
  /** The attribute it is reported at; undefined: the object as a whole. */
  readonly attribute: string | undefined;
  /** A whole sentence. */
  readonly detail: string;
}

/** A rule about more than one attribute of the same object. `N` are their names. */
export interface ConfigRule<N extends string> {
  readonly attributes: readonly N[];
  /** The rule in words, for documentation. */
  readonly description: string;
  readonly check: (view: RuleView) => readonly RuleFinding[];
}

/** A rule that reports errors. `check` answers the attribute to report at, and what is wrong. */
export function rule<N extends string>(
  attributes: readonly N[],
  description: string,
  check: (view: RuleView) => readonly { readonly attribute: string | undefined; readonly detail: string }[],
): ConfigRule<N> {
  return { attributes, description, check: (view) => check(view).map((finding) => ({ severity: "error", ...finding })) };
}

/** `a, b and c`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
