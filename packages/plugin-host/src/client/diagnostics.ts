// SPDX-License-Identifier: Apache-2.0
import { formatPath } from "@tenon/cty";
import { hasErrors, type Diagnostic } from "@tenon/schema";
import { PluginHostError } from "../error.ts";
import type { ResourceHandle } from "../resource-handle.ts";

/** Called with each warning of a provider. `subject` is the operation, such as `create of time_static`. */
export type WarningListener = (warning: Diagnostic, subject: string) => void;

/**
 * Passes warnings to the listener and returns them.
 *
 * @throws PluginHostError `DIAGNOSTICS` if any of the diagnostics is an error
 */
export function settle(diagnostics: readonly Diagnostic[], subject: string, onWarning: WarningListener | undefined): readonly Diagnostic[] {
  if (hasErrors(diagnostics)) throw diagnosticsError(diagnostics, subject);
  for (const warning of diagnostics) onWarning?.(warning, subject);
  return diagnostics;
}

/** Creates the error of an operation with error diagnostics. */
export function diagnosticsError(diagnostics: readonly Diagnostic[], subject: string, remaining?: ResourceHandle): PluginHostError {
  const errors = diagnostics.filter(({ severity }) => severity === "error").map(formatDiagnostic);
  const note = remaining === undefined ? "" : "\n\nAn object exists nevertheless: see this error's `remaining`.";
  return new PluginHostError("DIAGNOSTICS", `${subject} failed: ${errors.join("\n\n")}${note}`, { diagnostics, remaining });
}

/** Formats a diagnostic as text: `summary at path: detail`. */
export function formatDiagnostic({ summary, detail, attribute }: Diagnostic): string {
  const where = attribute === undefined || attribute.length === 0 ? "" : ` at ${formatPath(attribute).replace(/^\./, "")}`;
  return `${summary}${where}${detail === "" ? "" : `: ${detail}`}`;
}
