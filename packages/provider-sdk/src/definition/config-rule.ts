// SPDX-License-Identifier: Apache-2.0
import type { Path } from "@tenon/cty";
import type { PathExpression } from "../paths/path-expression.ts";

/** The name of an attribute or block of the object that the rule belongs to, or a path expression for any part of the configuration. */
export type Reference<N extends string> = N | PathExpression;

/** Whether an attribute or block has a value. An unknown value may turn out to be null. */
export type Presence = "set" | "unset" | "unknown";

/** An attribute or block that a reference resolves to. */
export interface ReferencedPlace {
  /** Its name in messages. */
  readonly name: string;
  /** Its path from the root of the configuration. */
  readonly path: Path;
  readonly state: Presence;
}

/** One object of a configuration: the argument of a rule. */
export interface RuleView {
  /** Returns whether the attribute or block has a value. */
  readonly stateOf: (name: string) => Presence;
  /** Returns the value that `validate` would receive; null if it is not set. */
  readonly valueOf: (name: string) => unknown;
  /** Returns all attributes and blocks that a reference resolves to. A name resolves to exactly one. */
  readonly placesOf: (reference: Reference<string>) => readonly ReferencedPlace[];
  /** Whether the core supports write-only attributes. */
  readonly writeOnlyAllowed: boolean;
}

/** An error or a warning of a rule. */
export interface RuleFinding {
  readonly severity: "error" | "warning";
  /** The attribute of the diagnostic, by name or by its path from the root; undefined for the object as a whole. */
  readonly attribute: string | Path | undefined;
  /** A whole sentence. */
  readonly detail: string;
}

/** A rule about several attributes of the same object. `N` are their names. */
export interface ConfigRule<N extends string> {
  readonly attributes: readonly N[];
  /** References to attributes and blocks outside the object. */
  readonly expressions?: readonly PathExpression[];
  /** The rule in words, for documentation. */
  readonly description: string;
  readonly check: (view: RuleView) => readonly RuleFinding[];
}
