// SPDX-License-Identifier: Apache-2.0

/** A way to break one rule, and the test that has to notice. */
export interface Mutation {
  /** What is broken: a rule's number, or the name of a function. */
  readonly rule: string;
  /** From the root of the repository. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly search: string;
  readonly replace: string;
  /** Test file, from the root of the repository. */
  readonly test: string;
  /** Begins the name of the test, or of the group of tests. */
  readonly name: string;
}

/** What became of a mutation. Anything but `killed` is a failure. */
export type Verdict = { readonly kind: "killed" } | { readonly kind: "survived" } | { readonly kind: "unusable"; readonly why: string };

/** A mutation with its rule left to the group it stands in. */
type OfRule = readonly [rule: string | number, search: string, replace: string, name?: string];

/** Mutations of one file that tests of one file notice. A test's name is `rule <number>` where none is given. */
export function mutationsOf(file: string, test: string, list: readonly OfRule[]): readonly Mutation[] {
  return list.map(([rule, search, replace, name]) => ({ rule: String(rule), file, search, replace, test, name: name ?? `rule ${rule}:` }));
}
