// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { SourceRange } from "../syntax/position.ts";
import { enclosingAt } from "./enclosing.ts";
import { describeFunction, type FunctionSignature } from "./function-signature.ts";
import { relatedValues, type RelatedValue, type ValueCauses } from "./related-values.ts";
import { asBytes, linesOf, shownRanges, type ByteRange, type Sources } from "./source-lines.ts";

/** A diagnostic as the CLIs print it with `-json`. */
export interface DiagnosticJson {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail: string;
  /** What is wrong; never empty. */
  readonly range?: SourceRange;
  /** Present where the source is at hand. */
  readonly snippet?: DiagnosticSnippet;
}

/** The lines around what is wrong. */
export interface DiagnosticSnippet {
  /** The outermost block it is in, such as `resource "web" "a"`; null outside of any. */
  readonly context: string | null;
  /** Whole lines, joined by LF. */
  readonly code: string;
  /** The number of the first of these lines. */
  readonly start_line: number;
  /** Where in `code`, in bytes of UTF-8, what is wrong starts. */
  readonly highlight_start_offset: number;
  readonly highlight_end_offset: number;
  /** Sorted by the reference. */
  readonly values: readonly RelatedValue[];
  /** The function whose call failed. */
  readonly function_call?: { readonly called_as: string; readonly signature?: FunctionSignature };
}

export interface DiagnosticJsonOptions {
  /** What to say of values that cannot be shown; by default they are not mentioned, but for their type. */
  readonly causes?: ValueCauses;
}

/**
 * A diagnostic in the form that `validate -json` and other commands of the CLIs have.
 *
 * @param sources the texts of the files, for the snippet.
 * @see https://opentofu.org/docs/cli/commands/validate/#json-output-format
 *
 * @example
 * diagnosticJson(parseConfig("a =\n", "main.tf").diagnostics[0], new Map([["main.tf", "a =\n"]])).snippet.code // => "a ="
 */
export function diagnosticJson(diagnostic: Diagnostic, sources: Sources, { causes = {} }: DiagnosticJsonOptions = {}): DiagnosticJson {
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
    // The CLIs look one byte before: what starts where a block starts is not in the block.
    context: enclosingAt(source, marked.filename, marked.start.byte - 1) ?? null,
    code,
    start_line: lines[0]?.number ?? startLine,
    highlight_start_offset: offsetOf(marked.start.byte),
    highlight_end_offset: offsetOf(marked.end.byte),
  };
}

function functionCall({ extra, expression, scope }: Diagnostic): DiagnosticSnippet["function_call"] {
  if (extra === undefined || expression === undefined || extra.kind !== "functionCall") return undefined;
  const known = scope?.functions?.get(extra.name);
  return { called_as: extra.name, ...(known && { signature: describeFunction(extra.name, known) }) };
}
