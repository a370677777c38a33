// SPDX-License-Identifier: Apache-2.0
/**
 * Checks as matchers of vitest. An import of this module adds them to `expect`.
 *
 * @example
 * planChecks: [(plan) => expect(plan).toHaveResourceAction("notebook_note.a", "Update")];
 *
 * @module
 */
import { expect } from "vitest";
import type { QueryFilter } from "../checks/query-results.ts";
import type { DeferredReason } from "../checks/deferred-change.ts";
import type { ValueComparer } from "../checks/comparer.ts";
import type { PathIn, ResourceAddress } from "../checks/resource-address.ts";
import type { ResourceAction } from "../checks/resource-action.ts";
import type { ValuePath } from "../documents/value-path.ts";
import type { Expected } from "../known-value/known-value.ts";
import { checkMatchers } from "./check-matchers.ts";
// Vitest limits the time of a test, and not that of an import: what the first case needs is loaded here.
import "../case/run-steps.ts";
import "../runner/in-process/in-process-session.ts";

expect.extend(checkMatchers as Parameters<typeof expect.extend>[0]);

/** Matchers of plans, states and results of queries. Each has the arguments of the check in its description. */
export interface CheckMatchers<R = unknown> {
  /** `expectEmptyPlan` */
  readonly toBeEmptyPlan: () => R;
  /** `expectNonEmptyPlan` */
  readonly toBeNonEmptyPlan: () => R;
  /** `compareValueCollection` */
  readonly toCompareValueCollection: <B = unknown>(
    collection: ResourceAddress,
    collectionPath: ValuePath,
    other: ResourceAddress<B>,
    otherPath: PathIn<B>,
    comparer: ValueComparer,
  ) => R;
  /** `compareValuePairs` */
  readonly toCompareValuePairs: <A = unknown, B = unknown>(
    first: ResourceAddress<A>,
    firstPath: PathIn<A>,
    second: ResourceAddress<B>,
    secondPath: PathIn<B>,
    comparer: ValueComparer,
  ) => R;
  /** `expectDeferredChange` */
  readonly toHaveDeferredChange: (address: ResourceAddress, reason: DeferredReason) => R;
  /** `expectIdentity` */
  readonly toHaveIdentity: (address: ResourceAddress, identity: Readonly<Record<string, Expected>>) => R;
  /** `expectIdentityValue` */
  readonly toHaveIdentityValue: (address: ResourceAddress, path: ValuePath, expected: Expected) => R;
  /** `expectIdentityValueMatchesState` */
  readonly toHaveIdentityValueMatchingState: <T = unknown>(address: ResourceAddress<T>, path: PathIn<T>) => R;
  /** `expectIdentityValueMatchesStateAtPath` */
  readonly toHaveIdentityValueMatchingStateAtPath: <T = unknown>(
    address: ResourceAddress<T>,
    identityPath: ValuePath,
    statePath: PathIn<T>,
  ) => R;
  /** `expectKnownOutputValue` */
  readonly toHaveKnownOutputValue: (name: string, expected: Expected) => R;
  /** `expectKnownOutputValueAtPath` */
  readonly toHaveKnownOutputValueAtPath: (name: string, path: ValuePath, expected: Expected) => R;
  /** `expectKnownValue` */
  readonly toHaveKnownValue: <T = unknown>(address: ResourceAddress<T>, path: PathIn<T>, expected: Expected) => R;
  /** `expectNoDeferredChanges` */
  readonly toHaveNoDeferredChanges: () => R;
  /** `expectNoIdentity` */
  readonly toHaveNoIdentity: (address: string, identity: Readonly<Record<string, Expected>>) => R;
  /** `expectNullOutputValue` */
  readonly toHaveNullOutputValue: (name: string) => R;
  /** `expectNullOutputValueAtPath` */
  readonly toHaveNullOutputValueAtPath: (name: string, path: ValuePath) => R;
  /** `expectResourceAction` */
  readonly toHaveResourceAction: (address: ResourceAddress, action: ResourceAction) => R;
  /** `expectResourceDisplayName` */
  readonly toHaveResourceDisplayName: (address: string, filter: QueryFilter, name: Expected) => R;
  /** `expectResourceKnownValues` */
  readonly toHaveResourceKnownValues: (address: string, filter: QueryFilter, values: Readonly<Record<string, Expected>>) => R;
  /** `expectLength` */
  readonly toHaveResultLength: (address: string, length: number) => R;
  /** `expectLengthAtLeast` */
  readonly toHaveResultLengthAtLeast: (address: string, length: number) => R;
  /** `expectSensitiveValue` */
  readonly toHaveSensitiveValue: <T = unknown>(address: ResourceAddress<T>, path: PathIn<T>) => R;
  /** `expectTotalLengthForMatching` */
  readonly toHaveTotalResultLength: (pattern: RegExp, length: number) => R;
  /** `expectUnknownOutputValue` */
  readonly toHaveUnknownOutputValue: (name: string) => R;
  /** `expectUnknownOutputValueAtPath` */
  readonly toHaveUnknownOutputValueAtPath: (name: string, path: ValuePath) => R;
  /** `expectUnknownValue` */
  readonly toHaveUnknownValue: <T = unknown>(address: ResourceAddress<T>, path: PathIn<T>) => R;
}

declare module "vitest" {
  // The parameters must be those of vitest's own declaration.
  interface Matchers<R extends void | Promise<void>, T> extends CheckMatchers<R> {}
}

export { checkMatchers, type CheckMatcher, type MatcherResult } from "./check-matchers.ts";
