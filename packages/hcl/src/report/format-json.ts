// SPDX-License-Identifier: Apache-2.0
import { isStyled, styleFor, type FormatDiagnosticOptions, type Style } from "./format.ts";
import type { DiagnosticJson, DiagnosticSnippet } from "./json.ts";
import { wholeCharacters } from "./source-lines.ts";
import { visibleControls } from "./visible-controls.ts";
import { wordWrap } from "./word-wrap.ts";

/** Options of {@link formatDiagnosticJson}. */
export interface FormatDiagnosticJsonOptions extends FormatDiagnosticOptions {
  /** Address of the object that the diagnostic is about. */
  readonly address?: string | undefined;
  /** The difference between the sides of a comparison, as text without indentation of its first line. */
  readonly difference?: ((style: Style) => string) | undefined;
}

/**
 * Formats the JSON form of a diagnostic as the CLIs do: with colours, the text has a rule on its left and the range is underlined; without
 * colours, the text starts with an empty line and the range is not marked.
 *
 * @see OpenTofu format.DiagnosticFromJSON, format.DiagnosticPlainFromJSON
 *
 * @example
 * formatDiagnosticJson(diagnosticJson(diagnostic, sources), { color: false, width: 78 })
 */
export function formatDiagnosticJson(diagnostic: DiagnosticJson, options: FormatDiagnosticJsonOptions = {}): string {
  const { severity, summary, detail } = diagnostic;
  const style = styleFor(options);
  const hue = severity === "error" ? "red" : "yellow";
  const title = style(["bold", hue], severity === "error" ? "Error: " : "Warning: ") + style("bold", visibleControls(summary));
  const { address, difference } = options;
  const place = [...(address === undefined ? [] : [`  with ${address},`]), ...placeLines(diagnostic, style, difference?.(style))];
  const ruleWidth = isStyled(style) ? 2 : 0;
  const width = Math.max(0, (options.width ?? 0) - ruleWidth - 1);
  const lines = [
    title,
    "",
    ...place,
    ...(diagnostic.range === undefined ? [] : [""]),
    ...(detail === "" ? [] : wrapped(visibleControls(detail), width)),
  ];
  if (!isStyled(style)) return `\n${lines.join("\n")}\n`;
  const rule = style(hue, "│");
  const ruled = lines.map((line) => (line === "" ? rule : `${rule} ${line}`));
  return `${[style(hue, "╷"), ...ruled, style(hue, "╵")].join("\n")}\n`;
}

/** Breaks the lines of a text, except indented ones. */
function wrapped(text: string, width: number): readonly string[] {
  return text.split("\n").flatMap((line) => (line.startsWith(" ") || width === 0 ? [line] : wordWrap(line, width).split("\n")));
}

function placeLines({ range, snippet }: DiagnosticJson, style: Style, difference: string | undefined): readonly string[] {
  if (range === undefined) return [];
  const place = `  on ${visibleControls(range.filename)} line ${range.start.line}`;
  if (snippet === undefined) return [`${place}:`, "  (source code not available)"];
  return [
    `${place}${snippet.context === null ? "" : `, in ${visibleControls(snippet.context)}`}:`,
    ...codeLines(snippet, style),
    ...valueLines(snippet, style),
    ...(difference === undefined ? [] : differenceLines(difference, style)),
  ];
}

function codeLines({ code, start_line, highlight_start_offset, highlight_end_offset }: DiagnosticSnippet, style: Style): readonly string[] {
  const bytes = Buffer.from(code);
  const { start, end } = wholeCharacters(bytes, { start: highlight_start_offset, end: highlight_end_offset });
  const parts: readonly (readonly [text: string, isMarked: boolean])[] = [
    [bytes.toString("utf8", 0, start), false],
    [bytes.toString("utf8", start, end), true],
    [bytes.toString("utf8", end), false],
  ];
  // Underlines each line separately, without the rule and the line numbers.
  const lines: string[] = [""];
  for (const [text, isMarked] of parts) {
    for (const [index, piece] of visibleControls(text).split("\n").entries()) {
      const shown = isMarked && piece !== "" ? style("underline", piece) : piece;
      if (index === 0) lines[lines.length - 1] += shown;
      else lines.push(shown);
    }
  }
  return lines.map((line, index) => `${String(start_line + index).padStart(4)}: ${line}`);
}

function valueLines({ values, function_call: call }: DiagnosticSnippet, style: Style): readonly string[] {
  const signature = call?.signature;
  if (values.length === 0 && signature === undefined) return [];
  const lines: string[] = [];
  if (call !== undefined && signature !== undefined) {
    const { params, variadic_param: variadic } = signature;
    const names = [...params.map(({ name }) => name), ...(variadic === undefined ? [] : [`${variadic.name}...`])];
    lines.push(`while calling ${style("bold", call.called_as)}(${names.join(", ")})`);
  }
  lines.push(...values.map(({ traversal, statement }) => `${style("bold", traversal)} ${statement}`));
  return [`    ${style("gray", "├────────────────")}`, ...lines.map((line) => `    ${style("gray", "│")} ${line}`)];
}

/** @see OpenTofu format, appendDifferenceOutput */
function differenceLines(difference: string, style: Style): readonly string[] {
  const bar = `    ${style("gray", "│")} `;
  const lines = `    ${difference}`.split("\n").map((line) => `${bar}${line}`);
  return [`    ${style("gray", "├────────────────")}`, `${bar}${style("bold", "Diff: ")}`, ...lines];
}
