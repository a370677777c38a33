// SPDX-License-Identifier: Apache-2.0
import { type CallSite, callSite } from "../call-site.ts";
import type { JsonObject } from "../documents/json.ts";
import { equalJson } from "../documents/json.ts";
import { resourceAt, type ResourceDocument } from "../documents/state-document.ts";
import { formatPath, valueAt, type ValuePath } from "../documents/value-path.ts";
import { showValue } from "../documents/show-value.ts";
import { attributesOf, type Expected } from "../known-value/known-value.ts";
import type { CheckOutcome, QueryCheck, QueryResult, StateCheck } from "./check.ts";
import { compareWithExpected } from "./mismatch-text.ts";
import { resultsAt } from "./query-results.ts";
import type { PathIn, ResourceAddress } from "./resource-address.ts";
import { missingResource, placeOf } from "./resource-value.ts";

/**
 * Checks an identity, in a state or in the results of a query.
 *
 * @param address In a state the address of the resource, which must have the identity; in a query that of the `list` block, one of whose results
 *   must have it.
 */
export function expectIdentity(address: ResourceAddress, identity: Readonly<Record<string, Expected>>): StateCheck & QueryCheck {
  const expected = attributesOf(identity, false);
  const check = inState("expectIdentity", callSite(expectIdentity), address, (actual) =>
    compareWithExpected({ subject: `the identity of ${address}`, path: [], actual, sensitive: undefined }, expected),
  );
  return {
    ...check,
    checkQuery: (results) =>
      resultsAt(results, address, (found) =>
        found.some((result) => expected.mismatches(result.identity).length === 0)
          ? undefined
          : `${address} must have a result with the identity ${expected.description}, but has:\n${identityList(found)}`,
      ),
  };
}

/** Checks that no result of a query has an identity. Its attributes must be those of the identities in the results. */
export function expectNoIdentity(address: string, identity: Readonly<Record<string, Expected>>): QueryCheck {
  const expected = attributesOf(identity, false);
  return {
    name: "expectNoIdentity",
    site: callSite(expectNoIdentity),
    requires: "list",
    checkQuery: (results) => {
      const found = results.filter((result) => result.address === address);
      const names = Object.keys(identity).toSorted();
      const other = found.find((result) => Object.keys(result.identity).toSorted().join() !== names.join());
      if (other !== undefined) {
        return `the identities in ${address} have the attributes ${Object.keys(other.identity).join(", ")}, not ${names.join(", ")}`;
      }
      return found.some((result) => expected.mismatches(result.identity).length === 0)
        ? `${address} must have no result with the identity ${expected.description}, but has it`
        : undefined;
    },
  };
}

/** Checks an attribute of the identity of a resource. */
export function expectIdentityValue(address: ResourceAddress, path: ValuePath, expected: Expected): StateCheck {
  return inState("expectIdentityValue", callSite(expectIdentityValue), address, (identity) =>
    compareWithExpected({ subject: `the identity of ${address}`, path, actual: valueAt(identity, path), sensitive: undefined }, expected),
  );
}

/** Checks that an attribute of the identity of a resource equals the attribute of the same path. */
export function expectIdentityValueMatchesState<T = unknown>(address: ResourceAddress<T>, path: PathIn<T>): StateCheck {
  return matchingState("expectIdentityValueMatchesState", callSite(expectIdentityValueMatchesState), address, path, path);
}

/** Checks that an attribute of the identity of a resource equals an attribute of another path. */
export function expectIdentityValueMatchesStateAtPath<T = unknown>(
  address: ResourceAddress<T>,
  identityPath: ValuePath,
  statePath: PathIn<T>,
): StateCheck {
  const site = callSite(expectIdentityValueMatchesStateAtPath);
  return matchingState("expectIdentityValueMatchesStateAtPath", site, address, identityPath, statePath);
}

function matchingState(name: string, site: CallSite, address: string, identityPath: ValuePath, statePath: ValuePath): StateCheck {
  return inState(name, site, address, (identity, { values, sensitive_values: sensitive }) => {
    const [inIdentity, inValues] = [valueAt(identity, identityPath), valueAt(values, statePath)];
    if (inIdentity !== undefined && equalJson(inIdentity, inValues)) return undefined;
    return [
      `${formatPath(identityPath)} in the identity of ${address} must equal ${placeOf(address, statePath)}:`,
      `  identity: ${showValue(inIdentity)}`,
      `  state:    ${showValue(inValues, valueAt(sensitive, statePath))}`,
    ].join("\n");
  });
}

function inState(
  name: string,
  site: CallSite,
  address: string,
  check: (identity: JsonObject, resource: ResourceDocument) => CheckOutcome,
): StateCheck {
  return {
    name,
    site,
    requires: "identity",
    checkState: (state) => {
      const resource = resourceAt(state, address);
      if (resource === undefined) return missingResource(state, address);
      return resource.identity === undefined ? `${address} has no identity in the state` : check(resource.identity, resource);
    },
  };
}

function identityList(results: readonly QueryResult[]): string {
  return results.map(({ identity }) => `  ${showValue(identity)}`).join("\n");
}
