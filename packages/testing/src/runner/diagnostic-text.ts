// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/hcl";
import { diagnosticJson, type DiagnosticJson, formatDiagnosticJson, type Sources } from "@tenon/hcl/report";

/** Returns the errors among diagnostics as texts with the lines of the configuration that they are about. */
export function errorTexts(diagnostics: readonly DiagnosticJson[]): readonly string[] {
  // Without a limit, so that no line break separates the words that a test looks for.
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map((diagnostic) => formatDiagnosticJson(diagnostic, { color: false, width: 10_000 }).trim());
}

/** {@link errorTexts} of diagnostics of this process. */
export function errorTextsOf(diagnostics: readonly Diagnostic[], sources: Sources): readonly string[] {
  return errorTexts(diagnostics.map((diagnostic) => diagnosticJson(diagnostic, sources)));
}
