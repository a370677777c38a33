// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { SourcePosition, SourceRange } from "../syntax/position.ts";
import { indentedJson } from "./json-text.ts";

/** Diagnostics in the form of `--diags=json`; the empty string if there are none. */
export function diagnosticsJson(diagnostics: readonly Diagnostic[]): string {
  if (diagnostics.length === 0) return "";
  const written = diagnostics.map(({ severity, summary, detail, subject }) => ({
    severity,
    summary,
    ...(detail === "" ? {} : { detail }),
    ...(subject === undefined ? {} : { subject: writtenRange(subject) }),
  }));
  return indentedJson(JSON.stringify({ diagnostics: written }));
}

/** Range in the form of the JSON output. */
export function writtenRange({ filename, start, end }: SourceRange): object {
  return { filename, start: writtenPosition(start), end: writtenPosition(end) };
}

function writtenPosition({ line, column, byte }: SourcePosition): object {
  return { line, column, byte };
}
