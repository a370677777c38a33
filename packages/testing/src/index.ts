// SPDX-License-Identifier: Apache-2.0
/**
 * Cases that test a provider in steps, in process or with a command line, and their checks.
 *
 * @module
 */
export { TestingError, type TestingErrorCode } from "./error.ts";
export type { CallSite } from "./call-site.ts";
export { runTestCase } from "./case/run-test-case.ts";
export { configStep, importStep, queryStep, refreshStep, stateStoreStep } from "./case/declare-step.ts";
export type { CaseResult, TestCase, TestContext } from "./case/test-case.ts";
export type {
  ConfigStepOptions,
  ImportStepOptions,
  ListBlock,
  PlanCheckLike,
  PlanChecks,
  QueryCheckLike,
  QueryStepOptions,
  RefreshStepOptions,
  StateCheckLike,
  StateStoreBlock,
  StateStoreStepOptions,
  Step,
  StepOf,
  StepOptions,
} from "./case/step.ts";
export {
  allOf,
  anyOf,
  requireAbove,
  requireBelow,
  requireBetween,
  requireNot,
  skipAbove,
  skipBelow,
  skipBetween,
  skipIf,
  skipIfNotAlpha,
  skipIfNotPrerelease,
  type VersionBound,
  type VersionCheck,
  type VersionVerdict,
} from "./case/version-check.ts";

export type { Check, CheckOutcome, Feature, PlanCheck, QueryCheck, QueryResult, StateCheck } from "./checks/check.ts";
export { addressOf, type DefinedResource, type PathIn, type ResourceAddress, type StepsIn } from "./checks/resource-address.ts";
export { expectEmptyPlan, expectNonEmptyPlan } from "./checks/empty-plan.ts";
export { expectResourceAction, type ResourceAction } from "./checks/resource-action.ts";
export { expectKnownValue, expectSensitiveValue, expectUnknownValue } from "./checks/resource-value.ts";
export {
  expectKnownOutputValue,
  expectKnownOutputValueAtPath,
  expectNullOutputValue,
  expectNullOutputValueAtPath,
  expectUnknownOutputValue,
  expectUnknownOutputValueAtPath,
} from "./checks/output-value.ts";
export { type DeferredReason, expectDeferredChange, expectNoDeferredChanges } from "./checks/deferred-change.ts";
export { compareValue, compareValueCollection, compareValuePairs, type StepsComparison } from "./checks/compare-value.ts";
export { type ValueComparer, valuesDiffer, valuesSame } from "./checks/comparer.ts";
export {
  expectIdentity,
  expectIdentityValue,
  expectIdentityValueMatchesState,
  expectIdentityValueMatchesStateAtPath,
  expectNoIdentity,
} from "./checks/identity.ts";
export {
  byDisplayName,
  byIdentity,
  expectLength,
  expectLengthAtLeast,
  expectResourceDisplayName,
  expectResourceKnownValues,
  expectTotalLengthForMatching,
  type QueryFilter,
} from "./checks/query-results.ts";

export type {
  ConfigurationFiles,
  ConfigurationLocation,
  ConfigurationObject,
  ConfigurationSource,
} from "./configuration/configuration-source.ts";
export type { ExternalProvider } from "./configuration/required-providers.ts";
export type { Json, JsonObject, RawNumber } from "./documents/json.ts";
export {
  type ChangeDocument,
  type DeferredChangeDocument,
  isEmptyPlan,
  type PlanDocument,
  type ResourceChangeDocument,
} from "./documents/plan-document.ts";
export {
  type ModuleDocument,
  type OutputDocument,
  resourceAt,
  type ResourceDocument,
  resourcesOf,
  type StateDocument,
} from "./documents/state-document.ts";
export type { PathStep, ValuePath } from "./documents/value-path.ts";
export type { Expected, ExpectedData, KnownValue, Mismatch } from "./known-value/known-value.ts";

export { inProcessRunner } from "./runner/in-process/in-process-runner.ts";
export { cliRunner } from "./runner/cli/cli-runner.ts";
export type { RunnerChoice } from "./case/select-runner.ts";
export type {
  Core,
  Outcome,
  Runner,
  RunnerSession,
  SessionPlan,
  SessionPlanOptions,
  SessionSetup,
  TestedProvider,
  Variables,
} from "./runner/runner.ts";
