// SPDX-License-Identifier: Apache-2.0
import type { Path } from "@tenon/cty";

/** A message for the practitioner. A value in responses, never thrown. */
export interface Diagnostic {
  /** Any `error` makes the operation fail; a `warning` never does. */
  readonly severity: "error" | "warning";
  /** One line, no full stop; never empty. */
  readonly summary: string;
  /** What happened, where, what to do. May be empty. */
  readonly detail: string;
  /** The attribute it is about. The wire has no step into a set: there the path ends before the element. */
  readonly attribute?: Path;
}

/** Whether any of `diagnostics` is an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}

/** An error diagnostic. */
export function errorDiagnostic(summary: string, detail: string, attribute?: Path): Diagnostic {
  return { severity: "error", summary, detail, ...(attribute ? { attribute } : {}) };
}

/** A warning diagnostic. */
export function warningDiagnostic(summary: string, detail: string, attribute?: Path): Diagnostic {
  return { severity: "warning", summary, detail, ...(attribute ? { attribute } : {}) };
}
