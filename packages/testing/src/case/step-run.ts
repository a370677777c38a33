// SPDX-License-Identifier: Apache-2.0
import { type CallSite, withSite } from "../call-site.ts";
import type { Check } from "../checks/check.ts";
import type { ConfigurationFiles } from "../configuration/configuration-source.ts";
import type { ProviderFactory } from "@tenon/schema";
import { TestingError } from "../error.ts";
import type { Outcome, RunnerSession, SessionPlan, Variables } from "../runner/runner.ts";
import type { Step } from "./step.ts";
import { failureText } from "./failure-text.ts";

/** The state of a case between its steps. */
export interface CaseState {
  readonly session: RunnerSession;
  /** Name of the runner, for failures. */
  readonly runner: string;
  /** Factories of the providers, by source address. */
  readonly factories: Readonly<Record<string, ProviderFactory>>;
  /** The same, for callers that need only the schemas. */
  readonly describedProviders: Readonly<Record<string, ProviderFactory>>;
  /** Adds the `required_providers` block that a configuration needs to use the providers. */
  readonly addProviders: (files: ConfigurationFiles) => ConfigurationFiles;
  readonly allowDeferral: boolean;
  /** Cancels the case. */
  readonly signal: AbortSignal | undefined;
  readonly stepCount: number;
  /** The configuration of the last step. */
  files: ConfigurationFiles;
  variables: Variables;
  /** Whether the plans of configuration steps read the existing objects first. */
  readonly refresh: boolean;
  /** The last configuration whose plan had no errors: with it, all objects can be destroyed. */
  applied: { readonly files: ConfigurationFiles; readonly variables: Variables } | undefined;
}

/** The run of one step. It turns errors and failed checks into a failure of the step. */
export class StepRun {
  readonly state: CaseState;
  readonly #step: Step;
  /** Number of the step, from 1. */
  readonly #number: number;
  #plan: SessionPlan | undefined;
  /** Whether an operation failed, and the step expects an error. */
  #hasFailed = false;

  constructor(state: CaseState, step: Step, number: number) {
    this.state = state;
    this.#step = step;
    this.#number = number;
  }

  get session(): RunnerSession {
    return this.state.session;
  }

  /** The plan that failures show from here on. */
  show(plan: SessionPlan | undefined): void {
    this.#plan = plan;
  }

  /**
   * Handles the outcome of an operation. Returns whether the step goes on: not after an error that it expects.
   *
   * @throws TestingError `STEP_FAILED` for an error that it does not expect.
   */
  async accept(operation: string, { errors }: Outcome): Promise<boolean> {
    if (errors.length === 0) return true;
    const text = errors.join("\n\n");
    const { expectError } = this.#step.options;
    if (expectError === undefined) throw await this.failure(operation, text);
    this.#hasFailed = true;
    const isMatch = [text, text.replaceAll(/\s+/g, " ")].some((one) => one.search(expectError) >= 0);
    if (isMatch) return false;
    throw await this.failure(`${operation}, with another error than ${String(expectError)}`, text);
  }

  /** Ends the step. @throws TestingError `STEP_FAILED` if the step expects an error that did not occur. */
  async end(): Promise<void> {
    const { expectError } = this.#step.options;
    if (expectError === undefined || this.#hasFailed) return;
    throw await this.failure("the step", `the step must fail with an error that matches ${String(expectError)}, but succeeds`);
  }

  /** Calls checks in their order. @throws TestingError `CHECK_FAILED`, or the error of a function. */
  async check<C extends Check, Subject>(
    checks: readonly (C | ((subject: Subject) => unknown))[],
    subject: Subject,
    call: (check: C) => string | undefined,
    where: string,
  ): Promise<void> {
    for (const check of checks) {
      if (typeof check === "function") {
        await check(subject);
        continue;
      }
      const reason = call(check);
      if (reason !== undefined) throw await this.failure(`${check.name} (${where})`, reason, check.site, "CHECK_FAILED");
    }
  }

  /** Returns the failure of the step, with the configuration and the plan in its text. */
  async failure(
    operation: string,
    reason: string,
    site: CallSite = this.#step.site,
    code: "STEP_FAILED" | "CHECK_FAILED" = "STEP_FAILED",
  ): Promise<TestingError> {
    const { runner, stepCount, files, describedProviders } = this.state;
    const text = await failureText({
      title: `step ${this.#number} of ${stepCount} (${this.#step.kind}, ${runner}) failed: ${operation}`,
      reason,
      files,
      factories: describedProviders,
      plan: this.#plan,
    });
    return withSite(new TestingError(code, text), site);
  }
}
