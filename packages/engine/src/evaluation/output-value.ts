// SPDX-License-Identifier: Apache-2.0
import { isMarked, isWhollyKnown, mark, type Value } from "@tenon/cty";
import type { Output } from "../configuration/output.ts";
import { reportError, type Report } from "../configuration/report.ts";
import { containsMarkOf, EPHEMERAL, SENSITIVE } from "../marks/value-marks.ts";

/**
 * The value of an output with the marks that its block adds. Reports an error if the block does not allow the marks of the value.
 *
 * @see OpenTofu node_output.go
 */
export function outputValue(output: Output, value: Value, isRoot: boolean, report: Report): Value {
  const { ephemeral, sensitive, range } = output;
  if (ephemeral && isRoot) {
    const detail = "Root modules are not allowed to have outputs defined as ephemeral";
    reportError(report, "Invalid output configuration", detail, range);
    return value;
  }
  if (!ephemeral && (isWhollyKnown(value) || isMarked(value)) && containsMarkOf(value, EPHEMERAL)) {
    const detail = "The value that was generated for the output is ephemeral, but it is not configured to allow one.";
    reportError(report, "Output does not allow ephemeral value", detail, output.expression?.range ?? range);
    return value;
  }
  if (isRoot && !sensitive && containsMarkOf(value, SENSITIVE)) {
    reportError(report, "Output refers to sensitive values", sensitiveDetail, range);
  }
  const marked = sensitive ? mark(value, SENSITIVE) : value;
  return ephemeral ? mark(marked, EPHEMERAL) : marked;
}

const sensitiveDetail = `To reduce the risk of accidentally exporting sensitive data that was intended to be only internal, OpenTofu requires that any root module output containing sensitive data be explicitly marked as sensitive, to confirm your intent.

If you do intend to export this data, annotate the output value as sensitive by adding the following argument:
    sensitive = true`;
