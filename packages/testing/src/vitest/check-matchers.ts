// SPDX-License-Identifier: Apache-2.0
import type { PlanCheck, QueryCheck, QueryResult, StateCheck } from "../checks/check.ts";
import { compareValueCollection, compareValuePairs } from "../checks/compare-value.ts";
import { expectDeferredChange, expectNoDeferredChanges } from "../checks/deferred-change.ts";
import { expectEmptyPlan, expectNonEmptyPlan } from "../checks/empty-plan.ts";
import {
  expectIdentity,
  expectIdentityValue,
  expectIdentityValueMatchesState,
  expectIdentityValueMatchesStateAtPath,
  expectNoIdentity,
} from "../checks/identity.ts";
import {
  expectKnownOutputValue,
  expectKnownOutputValueAtPath,
  expectNullOutputValue,
  expectNullOutputValueAtPath,
  expectUnknownOutputValue,
  expectUnknownOutputValueAtPath,
} from "../checks/output-value.ts";
import {
  expectLength,
  expectLengthAtLeast,
  expectResourceDisplayName,
  expectResourceKnownValues,
  expectTotalLengthForMatching,
} from "../checks/query-results.ts";
import { expectResourceAction } from "../checks/resource-action.ts";
import { expectKnownValue, expectSensitiveValue, expectUnknownValue } from "../checks/resource-value.ts";
import type { PlanDocument } from "../documents/plan-document.ts";
import { TestingError } from "../error.ts";

/** The check of each matcher. A matcher takes the arguments of its check. */
const checkOfMatcher = {
  toBeEmptyPlan: expectEmptyPlan,
  toBeNonEmptyPlan: expectNonEmptyPlan,
  toCompareValueCollection: compareValueCollection,
  toCompareValuePairs: compareValuePairs,
  toHaveDeferredChange: expectDeferredChange,
  toHaveIdentity: expectIdentity,
  toHaveIdentityValue: expectIdentityValue,
  toHaveIdentityValueMatchingState: expectIdentityValueMatchesState,
  toHaveIdentityValueMatchingStateAtPath: expectIdentityValueMatchesStateAtPath,
  toHaveKnownOutputValue: expectKnownOutputValue,
  toHaveKnownOutputValueAtPath: expectKnownOutputValueAtPath,
  toHaveKnownValue: expectKnownValue,
  toHaveNoDeferredChanges: expectNoDeferredChanges,
  toHaveNoIdentity: expectNoIdentity,
  toHaveNullOutputValue: expectNullOutputValue,
  toHaveNullOutputValueAtPath: expectNullOutputValueAtPath,
  toHaveResourceAction: expectResourceAction,
  toHaveResourceDisplayName: expectResourceDisplayName,
  toHaveResourceKnownValues: expectResourceKnownValues,
  toHaveResultLength: expectLength,
  toHaveResultLengthAtLeast: expectLengthAtLeast,
  toHaveSensitiveValue: expectSensitiveValue,
  toHaveTotalResultLength: expectTotalLengthForMatching,
  toHaveUnknownOutputValue: expectUnknownOutputValue,
  toHaveUnknownOutputValueAtPath: expectUnknownOutputValueAtPath,
  toHaveUnknownValue: expectUnknownValue,
};

/** What a matcher returns to vitest. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** A matcher, as `expect.extend` takes it. */
export type CheckMatcher = (subject: unknown, ...args: never[]) => MatcherResult;

/** The matchers by name, for `expect.extend`. The entry point extends the global `expect` with them. */
export const checkMatchers: Readonly<Record<string, CheckMatcher>> = Object.fromEntries(
  Object.entries(checkOfMatcher).map(([name, declare]) => [name, matcherOf(name, declare as (...args: never[]) => AnyCheck)]),
);

type AnyCheck = Partial<PlanCheck> & Partial<StateCheck> & Partial<QueryCheck>;

function matcherOf(name: string, declare: (...args: never[]) => AnyCheck): CheckMatcher {
  return (subject, ...args) => {
    const reason = outcome(name, declare(...args), subject);
    return { pass: reason === undefined, message: () => reason ?? `${name}: the check passes, but must not` };
  };
}

/** Calls a check with what it is about: a plan, a state, or the results of a query. */
function outcome(matcher: string, { checkPlan, checkState, checkQuery }: AnyCheck, subject: unknown): string | undefined {
  if (Array.isArray(subject) && checkQuery) return checkQuery(subject as readonly QueryResult[]);
  if (typeof subject === "object" && subject !== null && !Array.isArray(subject)) {
    // A plan always has one of these; a state never has one.
    const isPlan = "planned_values" in subject || "resource_changes" in subject || "configuration" in subject;
    if (isPlan && checkPlan) return checkPlan(subject as PlanDocument);
    if (!isPlan && checkState) return checkState(subject);
  }
  const subjects = [checkPlan && "a plan", checkState && "a state", checkQuery && "the results of a query"].filter(Boolean);
  throw new TestingError("CASE_INVALID", `${matcher} takes ${subjects.join(" or ")}, as a step passes it to a function`);
}
