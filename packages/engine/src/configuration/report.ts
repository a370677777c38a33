// SPDX-License-Identifier: Apache-2.0
import { hasErrors, type Diagnostic, type SourceRange } from "@tenon/hcl";

/** The diagnostics found so far. Functions that read a configuration add to them, and continue after errors. */
export type Report = Diagnostic[];

/** Adds an error. */
export function reportError(report: Report, summary: string, detail: string, subject?: SourceRange, context?: SourceRange): void {
  report.push({ severity: "error", summary, detail, ...(subject && { subject }), ...(context && { context }) });
}

/** Adds a warning. */
export function reportWarning(report: Report, summary: string, detail: string, subject?: SourceRange, context?: SourceRange): void {
  report.push({ severity: "warning", summary, detail, ...(subject && { subject }), ...(context && { context }) });
}

/** Adds diagnostics. Returns whether one of them is an error. */
export function reportAll(report: Report, diagnostics: readonly Diagnostic[]): boolean {
  let hasError = false;
  for (const diagnostic of diagnostics) {
    report.push(diagnostic);
    hasError ||= diagnostic.severity === "error";
  }
  return hasError;
}

/** Whether errors were added to the report since it had the given length. */
export function hasErrorsSince(report: Report, start: number): boolean {
  return hasErrors(report.slice(start));
}

/** Detail of errors about invalid names of blocks. */
export const badIdentifierDetail =
  "A name must start with a letter or underscore and may contain only letters, digits, underscores, and dashes.";
