// SPDX-License-Identifier: Apache-2.0
import { currentCall } from "../observability/current-call.ts";

/**
 * Makes `process.exit()` throw when a handler calls it. If the process exited, the host could only report that the provider crashed;
 * the error that the handler gets becomes a diagnostic instead.
 */
export function refuseExitInHandlers(): void {
  const exit = process.exit.bind(process);
  process.exit = (code) => {
    const call = currentCall();
    if (call === undefined) return exit(code);
    const given = code === undefined || code === null ? "" : String(code);
    throw new Error(
      `The provider called process.exit(${given}) in a handler of ${call.rpc}, which would end it for every resource: ` +
        "throw an error instead. This is a bug in the provider.",
    );
  };
}
