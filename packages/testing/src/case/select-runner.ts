// SPDX-License-Identifier: Apache-2.0
import { cliRunner } from "../runner/cli/cli-runner.ts";
import { inProcessRunner } from "../runner/in-process/in-process-runner.ts";
import type { Runner } from "../runner/runner.ts";

/** A runner, or its name: `in-process`, `tofu`, `terraform`, or the path of a command line. */
export type RunnerChoice = Runner | "in-process" | "tofu" | "terraform" | (string & {});

/** The environment variable that chooses the runner of cases that choose none. */
export const runnerVariable = "TENON_TEST_RUNNER";

/** Returns the chosen runner. Default: the one that `TENON_TEST_RUNNER` names; without it, the runner in process. */
export async function selectRunner(choice: RunnerChoice | undefined): Promise<Runner> {
  if (typeof choice === "object") return choice;
  const name = choice ?? process.env[runnerVariable] ?? "";
  if (name === "" || name === "in-process") return inProcessRunner();
  return cliRunner(name);
}
