// SPDX-License-Identifier: Apache-2.0

/** A change that breaks one rule, and the test that must then fail. */
export interface Mutation {
  /** Number of the broken rule, or name of the broken function. */
  readonly rule: string;
  /** Path from the root of the repository. */
  readonly file: string;
  /** Text that occurs exactly once in the file. */
  readonly search: string;
  readonly replace: string;
  /** Test file, from the root of the repository. */
  readonly test: string;
  /** Prefix of the name of the test or of its group. */
  readonly name: string;
}

/** Result of a mutation. Every result but `killed` is a failure. */
export type Verdict =
  | { readonly kind: "killed"; /** Messages of the failed tests. */ readonly messages: readonly string[] }
  | { readonly kind: "survived" }
  | { readonly kind: "unusable"; readonly why: string };

/** A mutation without its files: rule, text to find, replacement, and name of the test. */
type OfRule = readonly [rule: string | number, search: string, replace: string, name?: string];

/** Creates mutations of one file whose tests are in one file. Without a name, the test is `rule <number>`. */
export function mutationsOf(file: string, test: string, list: readonly OfRule[]): readonly Mutation[] {
  return list.map(([rule, search, replace, name]) => ({ rule: String(rule), file, search, replace, test, name: name ?? `rule ${rule}:` }));
}
