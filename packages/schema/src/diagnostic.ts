// SPDX-License-Identifier: Apache-2.0
import type { Path } from "@tenon/cty";

/** A message for the practitioner. A value in responses, never thrown. */
export interface Diagnostic {
  /** An `error` makes the operation fail, a `warning` does not. */
  readonly severity: "error" | "warning";
  /** One line, no full stop; never empty. */
  readonly summary: string;
  /** Says what happened, where, and what to do. May be empty. */
  readonly detail: string;
  /** Path of the attribute that the diagnostic is about. It ends before an element of a set, since the wire has no step into a set. */
  readonly attribute?: Path;
}

/** Whether any of `diagnostics` is an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}

/** Creates an error diagnostic. */
export function errorDiagnostic(summary: string, detail: string, attribute?: Path): Diagnostic {
  return { severity: "error", summary, detail, ...(attribute ? { attribute } : {}) };
}

/** Creates a warning diagnostic. */
export function warningDiagnostic(summary: string, detail: string, attribute?: Path): Diagnostic {
  return { severity: "warning", summary, detail, ...(attribute ? { attribute } : {}) };
}
