// SPDX-License-Identifier: Apache-2.0

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

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
  readonly plan?: Json;
  readonly planText?: string;
  readonly planDiagnostics: readonly OutcomeDiagnostic[];
  readonly applyDiagnostics: readonly OutcomeDiagnostic[];
  /** The text of the state file. */
  readonly state?: string;
}

/** Options of a step, with the addresses that its numbers picked. */
export interface StepOptions {
  readonly mode?: "normal" | "destroy" | "refreshOnly";
  readonly refresh?: boolean;
  readonly targets?: readonly string[];
  readonly excludes?: readonly string[];
  readonly replace?: readonly string[];
  readonly apply: boolean;
}
