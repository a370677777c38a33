// SPDX-License-Identifier: Apache-2.0
import { formatPath } from "@tenon/cty";
import { hasErrors, type Diagnostic } from "@tenon/schema";
import { PluginHostError } from "../error.ts";
import type { ResourceHandle } from "./resource-handle.ts";

/** Told of what a provider warned of; `subject` says in which operation, such as `create of time_static`. */
export type WarningListener = (warning: Diagnostic, subject: string) => void;

/**
 * The warnings among diagnostics that hold no error, once the listener has been told of them.
 *
 * @throws PluginHostError `DIAGNOSTICS`
 */
export function settle(diagnostics: readonly Diagnostic[], subject: string, onWarning: WarningListener | undefined): readonly Diagnostic[] {
  if (hasErrors(diagnostics)) throw diagnosticsError(diagnostics, subject);
  for (const warning of diagnostics) onWarning?.(warning, subject);
  return diagnostics;
}

/** The error of an operation that was refused. */
export function diagnosticsError(diagnostics: readonly Diagnostic[], subject: string, remaining?: ResourceHandle): PluginHostError {
  const errors = diagnostics.filter(({ severity }) => severity === "error").map(formatDiagnostic);
  const left = remaining === undefined ? "" : "\n\nSomething exists nevertheless: see this error's `remaining`.";
  return new PluginHostError("DIAGNOSTICS", `${subject} failed: ${errors.join("\n\n")}${left}`, { diagnostics, remaining });
}

/** `summary at path: detail`. */
export function formatDiagnostic({ summary, detail, attribute }: Diagnostic): string {
  const where = attribute === undefined || attribute.length === 0 ? "" : ` at ${formatPath(attribute).replace(/^\./, "")}`;
  return `${summary}${where}${detail === "" ? "" : `: ${detail}`}`;
}
