// SPDX-License-Identifier: Apache-2.0
import { callSite } from "../call-site.ts";
import type { JsonObject } from "../documents/json.ts";
import { showValue } from "../documents/show-value.ts";
import { attributesOf, type Expected, knownValueOf } from "../known-value/known-value.ts";
import type { CheckOutcome, QueryCheck, QueryResult } from "./check.ts";
import { compareWithExpected } from "./mismatch-text.ts";

/** Selects a result of a query. */
export type QueryFilter = (result: QueryResult) => boolean;

/** Selects the results with an identity. */
export function byIdentity(identity: Readonly<Record<string, Expected>>): QueryFilter {
  const expected = attributesOf(identity, false);
  return (result) => expected.mismatches(result.identity).length === 0;
}

/** Selects the results whose display name is the expected one. */
export function byDisplayName(name: Expected): QueryFilter {
  const expected = knownValueOf(name);
  return (result) => expected.mismatches(result.displayName).length === 0;
}

/** Checks the number of results of a `list` block. */
export function expectLength(address: string, length: number): QueryCheck {
  return queryCheck("expectLength", callSite(expectLength), (results, lists) => {
    if (lists?.includes(address) === false) return missingList(lists, address);
    const found = results.filter((result) => result.address === address).length;
    return found === length ? undefined : `${address} must have ${resultsText(length)}, but has ${found}`;
  });
}

/** Checks the minimum number of results of a `list` block. */
export function expectLengthAtLeast(address: string, length: number): QueryCheck {
  return queryCheck("expectLengthAtLeast", callSite(expectLengthAtLeast), (results, lists) => {
    if (lists?.includes(address) === false) return missingList(lists, address);
    const found = results.filter((result) => result.address === address).length;
    return found >= length ? undefined : `${address} must have at least ${resultsText(length)}, but has ${found}`;
  });
}

/** Checks the number of results of all `list` blocks whose address matches a pattern. At least one must match. */
export function expectTotalLengthForMatching(pattern: RegExp, length: number): QueryCheck {
  return queryCheck("expectTotalLengthForMatching", callSite(expectTotalLengthForMatching), (results, lists) => {
    if (lists?.some((address) => address.search(pattern) >= 0) === false) return missingList(lists, `that matches ${String(pattern)}`);
    const found = results.filter((result) => result.address.search(pattern) >= 0).length;
    return found === length
      ? undefined
      : `the blocks that match ${String(pattern)} must have ${resultsText(length)} together, but have ${found}`;
  });
}

/** Checks the display name of the one result that a filter selects. */
export function expectResourceDisplayName(address: string, filter: QueryFilter, name: Expected): QueryCheck {
  return queryCheck("expectResourceDisplayName", callSite(expectResourceDisplayName), (results) =>
    selectedResult(results, address, filter, ({ displayName }) =>
      compareWithExpected({ subject: `the display name in ${address}`, path: [], actual: displayName, sensitive: undefined }, name),
    ),
  );
}

/** Checks attributes of the resource of the one result that a filter selects. The step must include resources. */
export function expectResourceKnownValues(address: string, filter: QueryFilter, values: Readonly<Record<string, Expected>>): QueryCheck {
  const expected = attributesOf(values, true);
  return queryCheck("expectResourceKnownValues", callSite(expectResourceKnownValues), (results) =>
    selectedResult(results, address, filter, ({ identity, resource }) => {
      if (resource === undefined) return `the results of ${address} have no resources: set includeResource in the step`;
      const subject = `the resource ${showValue(identity)} of ${address}: resource`;
      return compareWithExpected({ subject, path: [], actual: resource, sensitive: undefined }, expected);
    }),
  );
}

/** Calls a check with the results of a `list` block. Fails if there are none. */
export function resultsAt(
  results: readonly QueryResult[],
  address: string,
  check: (found: readonly QueryResult[]) => CheckOutcome,
): CheckOutcome {
  const found = results.filter((result) => result.address === address);
  if (found.length > 0) return check(found);
  const others = [...new Set(results.map((result) => result.address))];
  return `the query has no results of ${address}: it has ${others.length === 0 ? "none" : `results of ${others.join(", ")}`}`;
}

function selectedResult(
  results: readonly QueryResult[],
  address: string,
  filter: QueryFilter,
  check: (result: QueryResult) => CheckOutcome,
): CheckOutcome {
  return resultsAt(results, address, (found) => {
    const [first, ...others] = found.filter(filter);
    if (first === undefined)
      return `the filter selects none of the results of ${address}:\n${listed(found.map(({ identity }) => identity))}`;
    if (others.length > 0) return `the filter must select one result of ${address}, but selects ${others.length + 1}`;
    return check(first);
  });
}

function queryCheck(name: string, site: string, checkQuery: QueryCheck["checkQuery"]): QueryCheck {
  return { name, site, requires: "list", checkQuery };
}

function missingList(lists: readonly string[], which: string): string {
  return `the query has no list block ${which}: it has ${lists.length === 0 ? "none" : lists.join(", ")}`;
}

function listed(identities: readonly JsonObject[]): string {
  return identities.map((identity) => `  ${showValue(identity)}`).join("\n");
}

function resultsText(count: number): string {
  return count === 1 ? "1 result" : `${count} results`;
}
