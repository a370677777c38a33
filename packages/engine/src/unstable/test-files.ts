// SPDX-License-Identifier: Apache-2.0
/**
 * Test files of the language (`.tftest.hcl`), and the plans and applies of their run blocks, for `@tenon/testing`. Unstable: it may change in
 * any version.
 *
 * @module
 */
export { TestWorkspace, type TestWorkspaceOptions } from "../test-files/test-workspace.ts";
export { defaultTestFolder, type LoadedTests } from "../test-files/load-tests.ts";
export { type TestFile } from "../test-files/test-file.ts";
export { type RunBlock, type RunModule, type RunPlanOptions } from "../test-files/run-block.ts";
export { type MockProvider, type MockResource } from "../test-files/mock-provider-block.ts";
export { type ModuleOverride, type ResourceOverride, type SubstitutedValues } from "../test-files/override-block.ts";
export { runOverrides, validateOverrides, type RunOverrides } from "../test-files/run-overrides.ts";
export { runProviders, type ProviderScopes, type RunProviders } from "../test-files/run-providers.ts";
export { TestedModule, type TestedModuleParts, type TestPlanOptions } from "../test-files/tested-module.ts";
export { literal } from "../test-files/literal-body.ts";
export { type AssertionResult } from "../test-files/assertion.ts";
export { type AssertedState } from "../test-files/assertion-walk.ts";
export { type AppliedChanges } from "../apply/apply-plan.ts";
export { ProviderSchemas } from "../provider/provider-schemas.ts";
