// SPDX-License-Identifier: Apache-2.0
import type { ExternalProvider } from "../configuration/required-providers.ts";
import type { StateDocument } from "../documents/state-document.ts";
import type { TestedProvider } from "../runner/runner.ts";
import type { RunnerChoice } from "./select-runner.ts";
import type { Step } from "./step.ts";
import type { VersionCheck } from "./version-check.ts";

/** A case: steps that change one state. */
export interface TestCase {
  /**
   * The tested providers, by the source address in the configuration, or by name: `notebook` is `hashicorp/notebook`, which a configuration without
   * `required_providers` means.
   */
  readonly providers?: Readonly<Record<string, TestedProvider>>;
  /** Further providers that the runner installs, by local name. */
  readonly externalProviders?: Readonly<Record<string, ExternalProvider>>;
  readonly steps: readonly Step[];
  /** Whether the plans of configuration steps read the existing objects first. Default: true. */
  readonly refresh?: boolean;
  /** The runner. Default: that of the environment variable `TENON_TEST_RUNNER`, else in process. */
  readonly runner?: RunnerChoice;
  /** Whether the case runs only with `TF_ACC=1`, because it needs a real remote system. Default: false. */
  readonly acceptance?: boolean;
  /** Called first, unless the case is skipped. Throws if a precondition of the case does not hold. */
  readonly preCheck?: () => unknown;
  /** Versions of the core with which the case runs. */
  readonly versionChecks?: readonly VersionCheck[];
  /** Called after everything is destroyed, with the state before. Throws if an object still exists. */
  readonly checkDestroy?: (state: StateDocument) => unknown;
  /** Called with the failure of a step. Returns the error that fails the case; undefined ends the case without failure. */
  readonly errorCheck?: (error: Error) => Error | undefined;
  /** Whether providers may defer changes. Needs the runner in process. Default: false. */
  readonly allowDeferral?: boolean;
}

/** The context of a test, by vitest or `node:test`. */
export interface TestContext {
  /** Skips the test. */
  readonly skip: (reason?: string) => unknown;
  /** Cancels the case. */
  readonly signal?: AbortSignal | undefined;
}

/** How a case ended that did not fail. */
export type CaseResult = { readonly status: "passed" } | { readonly status: "skipped"; readonly reason: string };
