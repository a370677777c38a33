// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/hcl";
import { stateError } from "../state/state-diagnostic.ts";
import type { State } from "../state/state.ts";

/** The result of an operation on a state. */
export interface StateChange {
  /** The changed state. After an error, the given state. */
  readonly state: State;
  /** The errors, with OpenTofu's texts. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The error of an operation on a workspace without a stored state. */
export const noState: Diagnostic = stateError(
  "No state file was found",
  "State management commands require a state file. Run this command in a directory where OpenTofu has been run or use the -state flag to point the command to a specific state location.",
);
