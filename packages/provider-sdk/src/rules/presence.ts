// SPDX-License-Identifier: Apache-2.0
import { listed, rule, taken, type ConfigRule, type Presence, type Reference, type ReferencedPlace, type RuleView } from "./rule.ts";

/** At least two attributes or blocks: those beside the rule by name, others by expressions such as `here.parent().at("url")`. */
type References<N extends string> = readonly [Reference<N>, Reference<N>, ...Reference<N>[]];

function inState(references: readonly Reference<string>[], view: RuleView, state: Presence): readonly ReferencedPlace[] {
  return references.flatMap((one) => view.placesOf(one)).filter((place) => place.state === state);
}

const namesOf = (places: readonly ReferencedPlace[]): string => listed(places.map(({ name }) => name));

/**
 * One of them is set, and no other.
 *
 * @example
 * exactlyOneOf("file", "url").description
 * // => "exactly one of file and url must be set"
 */
export function exactlyOneOf<const N extends string = never>(...names: References<N>): ConfigRule<N> {
  const description = `exactly one of ${listed(names)} must be set`;
  return rule(names, description, (view) => {
    const set = inState(names, view, "set");
    if (set.length > 1) return [{ attribute: set[1]!.path, detail: `${capital(description)}, and ${namesOf(set)} are.` }];
    const none = set.length === 0 && inState(names, view, "unknown").length === 0;
    return none ? [{ attribute: undefined, detail: `${capital(description)}, and none is.` }] : [];
  });
}

/** One of them is set, or more. */
export function atLeastOneOf<const N extends string = never>(...names: References<N>): ConfigRule<N> {
  const description = `at least one of ${listed(names)} must be set`;
  return rule(names, description, (view) =>
    inState(names, view, "set").length === 0 && inState(names, view, "unknown").length === 0
      ? [{ attribute: undefined, detail: `${capital(description)}, and none is.` }]
      : [],
  );
}

/** No two of them are set. */
export function conflicting<const N extends string = never>(...names: References<N>): ConfigRule<N> {
  const description = `only one of ${listed(names)} can be set`;
  return rule(names, description, (view) => {
    const set = inState(names, view, "set");
    return set.length > 1 ? [{ attribute: set[1]!.path, detail: `${capital(description)}, and ${namesOf(set)} are.` }] : [];
  });
}

/** All of them are set, or none is. */
export function requiredTogether<const N extends string = never>(...names: References<N>): ConfigRule<N> {
  const description = `${listed(names)} must be set together`;
  return rule(names, description, (view) => {
    const set = inState(names, view, "set");
    const unset = inState(names, view, "unset");
    return set.length > 0 && unset.length > 0
      ? [{ attribute: set[0]!.path, detail: `${capital(description)}, and ${namesOf(unset)} ${unset.length === 1 ? "is" : "are"} not.` }]
      : [];
  });
}

/** Where the first is set, so are the others. */
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

/** Warns who sets an attribute that is recorded, where a write-only one could take its place and the core knows those. */
export function preferWriteOnly<const N extends string = never>(recorded: Reference<N>, writeOnly: Reference<N>): ConfigRule<N> {
  const description = `${String(writeOnly)} is better than ${String(recorded)}, which is recorded in the state`;
  return {
    ...taken([recorded, writeOnly]),
    description,
    check: (view) => {
      const [set] = inState([recorded], view, "set");
      const better = view.placesOf(writeOnly).every(({ state }) => state === "unset");
      return view.writeOnlyAllowed && set !== undefined && better
        ? [{ severity: "warning", attribute: set.path, detail: `${description}.` }]
        : [];
    },
  };
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
