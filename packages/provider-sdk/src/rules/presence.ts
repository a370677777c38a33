// SPDX-License-Identifier: Apache-2.0
import { listed, rule, type ConfigRule, type RuleView } from "./rule.ts";

/** At least two names. */
type Names<N extends string> = readonly [N, N, ...N[]];

function inState(names: readonly string[], view: RuleView, state: ReturnType<RuleView["stateOf"]>): readonly string[] {
  return names.filter((name) => view.stateOf(name) === state);
}

/**
 * One of them is set, and no other.
 *
 * @example
 * exactlyOneOf("file", "url").description
 * // => "exactly one of file and url must be set"
 */
export function exactlyOneOf<const N extends string>(...names: Names<N>): ConfigRule<N> {
  const description = `exactly one of ${listed(names)} must be set`;
  return rule(names, description, (view) => {
    const set = inState(names, view, "set");
    if (set.length > 1) return [{ attribute: set[1], detail: `${capital(description)}, and ${listed(set)} are.` }];
    const none = set.length === 0 && inState(names, view, "unknown").length === 0;
    return none ? [{ attribute: undefined, detail: `${capital(description)}, and none is.` }] : [];
  });
}

/** One of them is set, or more. */
export function atLeastOneOf<const N extends string>(...names: Names<N>): ConfigRule<N> {
  const description = `at least one of ${listed(names)} must be set`;
  return rule(names, description, (view) =>
    names.every((name) => view.stateOf(name) === "unset")
      ? [{ attribute: undefined, detail: `${capital(description)}, and none is.` }]
      : [],
  );
}

/** No two of them are set. */
export function conflicting<const N extends string>(...names: Names<N>): ConfigRule<N> {
  const description = `only one of ${listed(names)} can be set`;
  return rule(names, description, (view) => {
    const set = inState(names, view, "set");
    return set.length > 1 ? [{ attribute: set[1], detail: `${capital(description)}, and ${listed(set)} are.` }] : [];
  });
}

/** All of them are set, or none is. */
export function requiredTogether<const N extends string>(...names: Names<N>): ConfigRule<N> {
  const description = `${listed(names)} must be set together`;
  return rule(names, description, (view) => {
    const set = inState(names, view, "set");
    const unset = inState(names, view, "unset");
    return set.length > 0 && unset.length > 0
      ? [{ attribute: set[0], detail: `${capital(description)}, and ${listed(unset)} ${unset.length === 1 ? "is" : "are"} not.` }]
      : [];
  });
}

/** Where the first is set, so are the others. */
export function requires<const N extends string>(name: N, ...others: readonly [N, ...N[]]): ConfigRule<N> {
  const description = `${name} needs ${listed(others)} to be set as well`;
  return rule([name, ...others], description, (view) => {
    if (view.stateOf(name) !== "set") return [];
    const unset = inState(others, view, "unset");
    return unset.length > 0 ? [{ attribute: name, detail: `${name} needs ${listed(unset)} to be set as well.` }] : [];
  });
}

/** Warns who sets an attribute that is recorded, where a write-only one could take its place and the core knows those. */
export function preferWriteOnly<const N extends string>(recorded: N, writeOnly: N): ConfigRule<N> {
  const description = `${writeOnly} is better than ${recorded}, which is recorded in the state`;
  return {
    attributes: [recorded, writeOnly],
    description,
    check: (view) =>
      view.writeOnlyAllowed && view.stateOf(recorded) === "set" && view.stateOf(writeOnly) === "unset"
        ? [{ severity: "warning", attribute: recorded, detail: `${description}.` }]
        : [],
  };
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
