// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/hcl";
import type { State } from "../state/state.ts";

/** The result of an operation on a state. */
export interface StateChange {
  /** The changed state; the given one after an error. */
  readonly state: State;
  /** OpenTofu's errors. */
  readonly diagnostics: readonly Diagnostic[];
}

/** An error about a state, which has no place in a file. */
export function stateError(summary: string, detail: string): Diagnostic {
  return { severity: "error", summary, detail };
}

/** Error of an operation on a workspace without a stored state. */
export const noState: Diagnostic = stateError(
  "No state file was found",
  "State management commands require a state file. Run this command in a directory where OpenTofu has been run or use the -state flag to point the command to a specific state location.",
);
