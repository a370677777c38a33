// SPDX-License-Identifier: Apache-2.0
import { containsMarked, type Value } from "@tenon/cty";
import { wrangleMarks } from "@tenon/cty/paths";
import type { Body, Diagnostic } from "@tenon/hcl";
import { DeprecationMark } from "../configuration/deprecation.ts";
import { rangeOfAttribute } from "./provider-diagnostic.ts";

/**
 * Returns the value of a body without the marks of deprecation, and a warning for each of them.
 *
 * @see OpenTofu marks.ExtractDeprecationDiagnosticsWithBody
 */
export function takeDeprecationsOfBody(value: Value, body: Body): { readonly value: Value; readonly diagnostics: readonly Diagnostic[] } {
  if (!containsMarked(value)) return { value, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const plain = wrangleMarks(value, (found, path) => {
    if (!(found instanceof DeprecationMark)) return undefined;
    const { by, message, isFromRemoteModule } = found.cause;
    const advice = message === "" ? "." : ` with the following message:\n\n${message}`;
    const subject = rangeOfAttribute(body, path);
    diagnostics.push({
      severity: "warning",
      summary: "Value derived from a deprecated source",
      detail: `This value is derived from ${by}, which is deprecated${advice}`,
      ...(subject && { subject }),
      extra: { kind: "deprecatedSource", by, isFromRemoteModule },
    });
    return "drop";
  });
  return { value: plain, diagnostics };
}
