// SPDX-License-Identifier: Apache-2.0
import { listed, rule, taken } from "./rule.ts";
import type { ConfigRule, Presence, Reference, ReferencedPlace, RuleView } from "../definition/config-rule.ts";

/**
 * At least two attributes or blocks: those of the object that the rule belongs to by name, others by expressions such as
 * `here.parent().at("url")`.
 */
type References<N extends string> = readonly [Reference<N>, Reference<N>, ...Reference<N>[]];

function inState(references: readonly Reference<string>[], view: RuleView, state: Presence): readonly ReferencedPlace[] {
  return references.flatMap((one) => view.placesOf(one)).filter((place) => place.state === state);
}

const namesOf = (places: readonly ReferencedPlace[]): string => listed(places.map(({ name }) => name));

/**
 * Requires exactly one of the attributes to be set.
 *
 * @example
 * exactlyOneOf("file", "url").description
 * // => "exactly one of file and url must be set"
 */
export function exactlyOneOf<const N extends string = never>(...names: References<N>): ConfigRule<N> {
  const description = `exactly one of ${listed(names)} must be set`;
  return rule(names, description, (view) => {
    const set = inState(names, view, "set");
    if (set.length > 1) return [{ attribute: set[1]!.path, detail: `${capital(description)}, but ${namesOf(set)} are.` }];
    const none = set.length === 0 && inState(names, view, "unknown").length === 0;
    return none ? [{ attribute: undefined, detail: `${capital(description)}, but none is.` }] : [];
  });
}

/** Requires at least one of the attributes to be set. */
export function atLeastOneOf<const N extends string = never>(...names: References<N>): ConfigRule<N> {
  const description = `at least one of ${listed(names)} must be set`;
  return rule(names, description, (view) =>
    inState(names, view, "set").length === 0 && inState(names, view, "unknown").length === 0
      ? [{ attribute: undefined, detail: `${capital(description)}, but none is.` }]
      : [],
  );
}

/** Requires at most one of the attributes to be set. */
export function conflicting<const N extends string = never>(...names: References<N>): ConfigRule<N> {
  const description = `only one of ${listed(names)} can be set`;
  return rule(names, description, (view) => {
    const set = inState(names, view, "set");
    return set.length > 1 ? [{ attribute: set[1]!.path, detail: `${capital(description)}, but ${namesOf(set)} are.` }] : [];
  });
}

/** Requires either all of the attributes or none of them to be set. */
export function requiredTogether<const N extends string = never>(...names: References<N>): ConfigRule<N> {
  const description = `${listed(names)} must be set together`;
  return rule(names, description, (view) => {
    const set = inState(names, view, "set");
    const unset = inState(names, view, "unset");
    return set.length > 0 && unset.length > 0
      ? [{ attribute: set[0]!.path, detail: `${capital(description)}, but ${namesOf(unset)} ${unset.length === 1 ? "is" : "are"} not.` }]
      : [];
  });
}

/** Requires the other attributes to be set if the first is set. */
export function requires<const N extends string = never>(
  name: Reference<N>,
  ...others: readonly [Reference<N>, ...Reference<N>[]]
): ConfigRule<N> {
  const description = `${String(name)} needs ${listed(others)} to be set as well`;
  return rule([name, ...others], description, (view) => {
    const [set] = inState([name], view, "set");
    if (set === undefined) return [];
    const unset = inState(others, view, "unset");
    return unset.length > 0 ? [{ attribute: set.path, detail: `${set.name} needs ${namesOf(unset)} to be set as well.` }] : [];
  });
}

/**
 * Warns if the configuration sets a recorded attribute instead of its write-only alternative. Passes if the core does not support
 * write-only attributes.
 */
export function preferWriteOnly<const N extends string = never>(recorded: Reference<N>, writeOnly: Reference<N>): ConfigRule<N> {
  const description = `prefer ${String(writeOnly)} over ${String(recorded)}, which is recorded in the state`;
  return {
    ...taken([recorded, writeOnly]),
    description,
    check: (view) => {
      const [set] = inState([recorded], view, "set");
      const better = view.placesOf(writeOnly).every(({ state }) => state === "unset");
      return view.writeOnlyAllowed && set !== undefined && better
        ? [{ severity: "warning", attribute: set.path, detail: `${capital(description)}.` }]
        : [];
    },
  };
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
