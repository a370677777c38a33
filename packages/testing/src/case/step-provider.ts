// SPDX-License-Identifier: Apache-2.0
import type { ProviderFactory } from "@tenon/schema";
import { sourceAddress } from "../configuration/required-providers.ts";
import { TestingError } from "../error.ts";
import type { Step } from "./step.ts";
import type { StepRun } from "./step-run.ts";

/**
 * The provider that a step uses directly.
 *
 * @param name The provider as the case names it. Default: its only provider.
 * @throws TestingError `CASE_INVALID` if the case does not have it, or has several and the step names none.
 */
export function providerOfStep({ state: { factories } }: StepRun, kind: Step["kind"], name: string | undefined): ProviderFactory {
  const names = Object.keys(factories);
  if (name === undefined && names.length !== 1) {
    throw new TestingError("CASE_INVALID", `a step of the kind ${kind} must name its provider, because the case has ${names.length}`);
  }
  const source = name === undefined ? names[0]! : sourceAddress(name);
  const factory = factories[source];
  if (factory === undefined) throw new TestingError("CASE_INVALID", `the case has no provider ${source}`);
  return factory;
}
