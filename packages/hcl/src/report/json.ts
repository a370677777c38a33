// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { SourceRange } from "../syntax/position.ts";
import { enclosingAt } from "./enclosing.ts";
import { describeFunction, type FunctionSignature } from "./function-signature.ts";
import { relatedValues, type RelatedValue, type ValueCauses } from "./related-values.ts";
import { asBytes, linesOf, shownRanges, type ByteRange, type Sources } from "./source-lines.ts";

/** A diagnostic in the JSON of the CLIs. */
export interface DiagnosticJson {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail: string;
  /** Range of the problem; never empty. */
  readonly range?: SourceRange;
  /** The source lines; absent if the source is not available. */
  readonly snippet?: DiagnosticSnippet;
}

/** The source lines around a problem. */
export interface DiagnosticSnippet {
  /** Outermost enclosing block, such as `resource "web" "a"`; null if there is none. */
  readonly context: string | null;
  /** Whole lines, joined by LF. */
  readonly code: string;
  /** Number of the first of these lines. */
  readonly start_line: number;
  /** Start of the problem in `code`, in bytes of UTF-8. */
  readonly highlight_start_offset: number;
  readonly highlight_end_offset: number;
  /** Values of variables, sorted by reference. */
  readonly values: readonly RelatedValue[];
  /** The function whose call failed. */
  readonly function_call?: { readonly called_as: string; readonly signature?: FunctionSignature };
}

/** Options of {@link diagnosticJson}. */
export interface DiagnosticJsonOptions {
  /**
   * The kinds of values that are described although they cannot be shown. Default: those that the diagnostic names as its cause; of other
   * unknown values only the types.
   */
  readonly causes?: ValueCauses;
}

/**
 * Converts a diagnostic to the JSON form of `validate -json` and other commands of the CLIs.
 *
 * @param sources Contents of the files by name, for the snippet.
 * @see https://opentofu.org/docs/cli/commands/validate/#json-output-format
 *
 * @example
 * diagnosticJson(parseConfig("a =\n", "main.tf").diagnostics[0], new Map([["main.tf", "a =\n"]])).snippet.code // => "a ="
 */
export function diagnosticJson(
  diagnostic: Diagnostic,
  sources: Sources,
  { causes = causesOf(diagnostic) }: DiagnosticJsonOptions = {},
): DiagnosticJson {
  const { severity, summary, detail, subject, context } = diagnostic;
  if (subject === undefined) return { severity, summary, detail };
  const { marked, shown } = shownRanges(subject, context);
  const source = sources.get(marked.filename);
  if (source === undefined) return { severity, summary, detail, range: marked };
  const call = functionCall(diagnostic);
  const snippet: DiagnosticSnippet = {
    ...codeAround(asBytes(source), marked, shown, firstLine(subject, context)),
    values: relatedValues(diagnostic, causes),
    ...(call && { function_call: call }),
  };
  return { severity, summary, detail, range: marked, snippet };
}

function firstLine(subject: SourceRange, context: SourceRange | undefined): number {
  return context === undefined ? subject.start.line : Math.min(subject.start.line, context.start.line);
}

function codeAround(source: Buffer, marked: SourceRange, shown: ByteRange, startLine: number): Omit<DiagnosticSnippet, "values"> {
  const lines = linesOf(source, shown);
  const code = lines.map(({ bytes }) => bytes.toString()).join("\n");
  const offsetOf = (byte: number): number => {
    let before = 0;
    for (const { start, end } of lines) {
      if (byte <= end) return before + Math.max(0, byte - start);
      before += end - start + 1;
    }
    return Math.max(0, before - 1);
  };
  return {
    // As in the CLIs, a range that starts where a block starts is not in the block.
    context: enclosingAt(source, marked.filename, marked.start.byte - 1) ?? null,
    code,
    start_line: lines[0]?.number ?? startLine,
    highlight_start_offset: offsetOf(marked.start.byte),
    highlight_end_offset: offsetOf(marked.end.byte),
  };
}

function causesOf({ extra }: Diagnostic): ValueCauses {
  return extra?.kind === "valueCause" ? { unknown: extra.cause === "unknown", marked: extra.cause === "marked" } : {};
}

function functionCall({ extra, expression, scope }: Diagnostic): DiagnosticSnippet["function_call"] {
  if (extra === undefined || expression === undefined || extra.kind !== "functionCall") return undefined;
  const known = scope?.functions?.get(extra.name);
  return { called_as: extra.name, ...(known && { signature: describeFunction(extra.name, known) }) };
}
