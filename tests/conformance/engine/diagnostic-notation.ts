// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic, SourceRange } from "@tenon/hcl";

/** A diagnostic as engine-oracle writes it. */
export interface DiagnosticNotation {
  readonly severity: string;
  readonly summary: string;
  readonly detail: string;
  readonly subject?: unknown;
  readonly context?: unknown;
}

/** Our diagnostics in the oracle's notation. */
export function diagnosticsNotation(diagnostics: readonly Diagnostic[]): readonly DiagnosticNotation[] {
  return diagnostics.map(({ severity, summary, detail, subject, context }) => ({
    severity,
    summary,
    detail,
    ...(subject && { subject: rangeNotation(subject) }),
    ...(context && { context: rangeNotation(context) }),
  }));
}

function rangeNotation({ filename, start, end }: SourceRange): unknown {
  return [filename, [start.line, start.column, start.byte], [end.line, end.column, end.byte]];
}

/** The oracle's diagnostics without empty ranges. Go has a zero range for a missing argument. */
export function withoutEmptyRanges(diagnostics: readonly DiagnosticNotation[]): readonly DiagnosticNotation[] {
  return diagnostics.map(({ subject, context, ...rest }) => ({
    ...rest,
    ...(isPresent(subject) && { subject }),
    ...(isPresent(context) && { context }),
  }));
}

/** Whether a range is present and not the zero range. */
function isPresent(range: unknown): boolean {
  return range !== undefined && JSON.stringify(range) !== '["",[0,0,0],[0,0,0]]';
}
