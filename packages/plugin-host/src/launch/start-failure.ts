// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from "node:timers/promises";
import { describeExit, PluginHostError, type PluginHostErrorCode, type ProcessReport } from "../error.ts";
import { readExecutableFormat, whyForeign } from "../process/executable-format.ts";
import type { ProviderProcess } from "../process/provider-process.ts";

/** Reason for which a start failed. Thrown only within this folder, and converted to a {@link PluginHostError}. */
export class StartError extends Error {
  readonly code: PluginHostErrorCode;

  /** @param message - continues a sentence that begins with the provider's name, and gives advice */
  constructor(code: PluginHostErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Time that a failed provider has to print its reason and exit by itself, in milliseconds. */
const exitGraceMs = 250;

/** Ends a provider whose start failed, and returns the error with its output. Resolves when the process has ended. */
export async function startFailure(process: ProviderProcess, error: unknown): Promise<PluginHostError> {
  if (!(error instanceof StartError && error.code === "START_CANCELLED")) {
    await Promise.race([process.exited, sleep(exitGraceMs, undefined, { ref: false })]);
  }
  // Read before the kill, whose signal is not the reason of the failure.
  const { exit } = process;
  process.kill();
  await process.exited;
  const { exit: _, ...ended } = process.report();
  const report: ProcessReport = exit === undefined ? ended : { ...ended, exit };
  const problem = refine(error, report);
  const message = `${report.provider} (${report.executable}) ${problem.message}${outputs(report)}`;
  return new PluginHostError(problem.code, message, { ...("cause" in problem ? { cause: problem.cause } : {}), process: report });
}

/** Returns the error to report: if the process ended by itself, its exit explains the failure better than the lost connection. */
function refine(error: unknown, report: ProcessReport): StartError {
  const problem = error instanceof StartError ? error : new StartError("CONNECTION_FAILED", String(error), { cause: error });
  if (problem.code !== "EXITED_EARLY" && problem.code !== "CONNECTION_FAILED" && problem.code !== "HANDSHAKE_MALFORMED") return problem;
  // The operating system may have run the file with a handler for another format, whose failure does not explain the problem.
  const foreignFormat =
    report.exit === undefined || report.exit.code === 0 ? undefined : whyForeign(readExecutableFormat(report.executable));
  if (foreignFormat !== undefined) return new StartError("EXECUTABLE_NOT_RUNNABLE", foreignFormat, { cause: problem.cause });
  if (problem.code === "HANDSHAKE_MALFORMED" || report.exit === undefined) return problem;
  if (/This binary is a plugin|not meant to be executed directly/i.test(report.stderr)) {
    const what = "is a plugin of another program: it refused the magic cookie that Terraform and OpenTofu providers expect";
    return new StartError("COOKIE_REFUSED", `${what}; launch a terraform-provider-… executable`);
  }
  const verb = report.panic === undefined ? "ended" : "crashed";
  const when = problem.code === "EXITED_EARLY" ? "before it printed its handshake line" : "before it accepted a connection";
  const advice = report.panic === undefined ? "; its output should have the reason" : "";
  return new StartError("EXITED_EARLY", `${verb} with ${describeExit(report.exit)} ${when}${advice}`, { cause: problem.cause });
}

function outputs({ stdout, stderr }: ProcessReport): string {
  const shown = [
    ["standard output", stdout],
    ["standard error", stderr],
  ].map(([name, text]) => (text === "" ? "" : `\n${name} ends with:\n${text}`));
  return shown.join("") || "\nit printed nothing";
}
