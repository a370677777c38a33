// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from "node:timers/promises";
import { describeExit, PluginHostError, type PluginHostErrorCode, type ProcessReport } from "../error.ts";
import { readExecutableKind, whyForeign } from "./machine.ts";
import type { ProviderProcess } from "./process.ts";

/** Why a provider that was started cannot be used. Thrown inside this folder; becomes a {@link PluginHostError}. */
export class StartProblem extends Error {
  readonly code: PluginHostErrorCode;

  /** `message` goes on after the provider's name, and says what to do. */
  constructor(code: PluginHostErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** How long a provider that has failed may still talk and end by itself, in milliseconds: it knows best what is wrong. */
const lastWordsMs = 250;

/** Ends a provider whose start has failed, and says why with everything it said. Fulfilled when nothing of it is left. */
export async function startFailure(process: ProviderProcess, error: unknown): Promise<PluginHostError> {
  if (!(error instanceof StartProblem && error.code === "START_CANCELLED")) {
    await Promise.race([process.exited, sleep(lastWordsMs, undefined, { ref: false })]);
  }
  // Before it is killed: how it then ends says nothing.
  const { exit } = process;
  process.kill();
  await process.exited;
  const { exit: _, ...ended } = process.report();
  const report: ProcessReport = exit === undefined ? ended : { ...ended, exit };
  const problem = await refine(error, report);
  const message = `${report.provider} (${report.executable}) ${problem.message}${outputs(report)}`;
  return new PluginHostError(problem.code, message, { ...("cause" in problem ? { cause: problem.cause } : {}), process: report });
}

/** Whatever was noticed first, a provider that ended by itself is best explained by how it did. */
async function refine(error: unknown, report: ProcessReport): Promise<StartProblem> {
  const problem = error instanceof StartProblem ? error : new StartProblem("CONNECTION_FAILED", String(error), { cause: error });
  if (problem.code !== "EXITED_EARLY" && problem.code !== "CONNECTION_FAILED" && problem.code !== "HANDSHAKE_MALFORMED") return problem;
  // A shell is tried for what the system does not know how to run, and prints nonsense about it.
  const foreign = report.exit === undefined || report.exit.code === 0 ? undefined : whyForeign(await readExecutableKind(report.executable));
  if (foreign !== undefined) return new StartProblem("EXECUTABLE_NOT_RUNNABLE", foreign, { cause: problem.cause });
  if (problem.code === "HANDSHAKE_MALFORMED" || report.exit === undefined) return problem;
  if (/This binary is a plugin|not meant to be executed directly/i.test(report.stderr)) {
    const what = "is a plugin of another program: it refused the magic cookie that Terraform and OpenTofu providers expect";
    return new StartProblem("COOKIE_REFUSED", `${what}; launch a terraform-provider-… executable`);
  }
  const when = problem.code === "EXITED_EARLY" ? "before it said where it can be reached" : "before it could be connected to";
  const advice = report.panic === undefined ? "; what it said should tell why" : " in a crash of its own";
  return new StartProblem("EXITED_EARLY", `ended with ${describeExit(report.exit)} ${when}${advice}`, { cause: problem.cause });
}

function outputs({ stdout, stderr }: ProcessReport): string {
  const shown = [
    ["standard output", stdout],
    ["standard error", stderr],
  ].map(([name, text]) => (text === "" ? "" : `\n${name} ends with:\n${text}`));
  return shown.join("") || "\nit printed nothing";
}
