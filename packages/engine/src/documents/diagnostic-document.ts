// SPDX-License-Identifier: Apache-2.0
import { diagnosticJson, formatDiagnosticJson, type Sources } from "@tenon/hcl/report";
import { renderDifference, valueDifference } from "@tenon/schema/difference";
import { EPHEMERAL, SENSITIVE } from "../marks/value-marks.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import { comparedValues, diagnosticDifference } from "./diagnostic-difference.ts";
import { coloredPlanStyle, plainPlanStyle } from "./plan-style.ts";
import type { JsonDocument } from "./state-json.ts";

/** A diagnostic in the JSON of the UI log. @see OpenTofu jsonentities, NewDiagnostic */
export function diagnosticDocument(diagnostic: AddressedDiagnostic, sources: Sources): JsonDocument {
  const { severity, summary, detail, ...place } = diagnosticJson(diagnostic, sources);
  const { address } = diagnostic;
  const difference = diagnosticDifference(diagnostic);
  return {
    severity,
    summary,
    detail,
    ...(address !== undefined && { address }),
    ...(place as JsonDocument),
    ...(difference && { difference }),
  };
}

function isConfidential(mark: unknown): boolean {
  return mark === SENSITIVE || mark === EPHEMERAL;
}

/** Options of {@link renderDiagnostic}. */
export interface RenderDiagnosticOptions {
  /** Whether the text has terminal colours. Default: false. */
  readonly color?: boolean;
  /** Number of columns to which the detail is wrapped. Default: 78, as for output that is not a terminal. */
  readonly width?: number;
}

/** A diagnostic as text, as the command line prints it. @see OpenTofu format, Diagnostic and DiagnosticPlain */
export function renderDiagnostic(
  diagnostic: AddressedDiagnostic,
  sources: Sources,
  { color = false, width = 78 }: RenderDiagnosticOptions = {},
): string {
  const compared = comparedValues(diagnostic);
  const style = color ? coloredPlanStyle : plainPlanStyle;
  const difference =
    compared &&
    ((): string => renderDifference(valueDifference(...compared, { isSensitiveMark: isConfidential }), { style, showSignOfWhole: false }));
  return formatDiagnosticJson(diagnosticJson(diagnostic, sources), { color, width, address: diagnostic.address, difference });
}
