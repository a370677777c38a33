// SPDX-License-Identifier: Apache-2.0

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** A graph: that of an operation, or that of the apply of a plan. */
export type GraphType = "plan" | "plan-refresh-only" | "plan-destroy" | "apply" | "planned";

/** A diagnostic, as both sides have it. */
export interface OutcomeDiagnostic {
  readonly severity: string;
  readonly summary: string;
  readonly detail: string;
  readonly address: string;
  /** File, and the first and last position. */
  readonly range: string;
}

/** What a side has after a step. */
export interface Outcome {
  /** Whether there is a plan without errors. */
  readonly isPlanned: boolean;
  readonly plan?: Json;
  readonly planText?: string;
  /** Messages of the UI log of the plan, without diagnostics. */
  readonly planLog: readonly Json[];
  /** Those of the apply. Absent: nothing was applied. */
  readonly applyLog?: readonly Json[];
  readonly planDiagnostics: readonly OutcomeDiagnostic[];
  readonly applyDiagnostics: readonly OutcomeDiagnostic[];
  /** The text of the state file. */
  readonly state?: string;
  /** The state, as `tofu show -json` prints it. */
  readonly stateJson?: Json;
  /** The state, as `tofu show` prints it. */
  readonly stateText?: string;
}

/** Options of a step, with the addresses that its numbers picked. */
export interface StepOptions {
  readonly mode?: "normal" | "destroy" | "refreshOnly";
  readonly refresh?: boolean;
  readonly targets?: readonly string[];
  readonly excludes?: readonly string[];
  readonly replace?: readonly string[];
  readonly apply: boolean;
  /** Which documents are made: the plan as JSON and as text, and the state as JSON and as text. */
  readonly documents: { readonly plan: boolean; readonly state: boolean };
}
