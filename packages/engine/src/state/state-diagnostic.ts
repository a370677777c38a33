// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/hcl";

/** A diagnostic about a state. It has no range, because it is not about a configuration. */
export type StateDiagnostic = Diagnostic;

/** An error about a state. */
export function stateError(summary: string, detail: string): StateDiagnostic {
  return { severity: "error", summary, detail };
}

/** A warning about a state. */
export function stateWarning(summary: string, detail: string): StateDiagnostic {
  return { severity: "warning", summary, detail };
}
