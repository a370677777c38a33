// SPDX-License-Identifier: Apache-2.0
import { parseDocument, type CST, type Scalar } from "yaml";

/**
 * Replaces the line breaks of YAML 1.1 that YAML 1.2 lacks, so that a parser of YAML 1.2 finds the same lines. All offsets stay.
 *
 * @see YAML 1.1, 5.4; https://yaml.org/spec/1.1/#id871136
 */
export function withLineFeeds(source: string): string {
  return source.replace(/\r(?!\n)|[\x85\u2028\u2029]/g, "\n");
}

/** Whether a text contains a line separator or a paragraph separator. YAML 1.1 keeps these in scalars, and never folds them to a space. */
function hasSeparators(text: string): boolean {
  return /[\u2028\u2029]/.test(text);
}

/**
 * Whether the parser reads the line breaks of a scalar differently from OpenTofu's: separators, line breaks after an escaped one, and the
 * missing line break at the end of a block scalar.
 */
export function needsOwnText(source: string, node: Scalar): boolean {
  const raw = source.slice(node.range?.[0], node.range?.[1]);
  if (hasSeparators(raw)) return true;
  return node.type?.startsWith("BLOCK") === true
    ? node.range?.[1] === source.length && !endsWithBreak.test(source)
    : node.type === "QUOTE_DOUBLE" && breaksAfterEscape.test(raw);
}

/**
 * The text of a scalar for which {@link needsOwnText} is true, as OpenTofu's parser reads it.
 *
 * @param source The source before `withLineFeeds`.
 * @param node The scalar, with its source token.
 * @see go-cty-yaml yaml_parser_scan_plain_scalar, yaml_parser_scan_flow_scalar, yaml_parser_scan_block_scalar
 */
export function scalarText(source: string, node: Scalar): string {
  const [start, end] = node.range!;
  const raw = source.slice(start, end);
  switch (node.type) {
    case "PLAIN":
      return folded(raw);
    case "QUOTE_SINGLE":
      return folded(raw.slice(1, -1)).replaceAll("''", "'");
    case "QUOTE_DOUBLE":
      return String(parseDocument(foldedEscapes(raw)).contents);
    default:
      return blockText(raw, node.srcToken as CST.BlockScalar);
  }
}

const lineBreak = String.raw`(?:\r\n|[\n\r\x85\u2028\u2029])`;
const anyBreak = new RegExp(lineBreak, "g");
const endsWithBreak = new RegExp(`${lineBreak}$`);
const breaksAfterEscape = new RegExp(String.raw`\\${lineBreak}[ \t]*${lineBreak}`);
const foldedBreaks = new RegExp(String.raw`(?<![ \t])[ \t]*(${lineBreak})[ \t]*((?:${lineBreak}[ \t]*)*)`, "g");
const foldedOrEscaped = new RegExp(
  String.raw`\\${lineBreak}[ \t]*(?<kept>(?:${lineBreak}[ \t]*)*)|(?<escape>\\.)|(?<breaks>${foldedBreaks.source})`,
  "gs",
);

/** The line breaks in a text as a scalar has them: separators stay, and all others are line feeds. */
function breaksIn(text: string): string {
  return (text.match(anyBreak) ?? []).map((found) => (hasSeparators(found) ? found : "\n")).join("");
}

/** Folds the line breaks of a plain or quoted scalar, with the white space around them. */
function folded(raw: string): string {
  return raw.replace(foldedBreaks, (_, first: string, others: string) => {
    const kept = breaksIn(others);
    return hasSeparators(first) ? first + kept : kept === "" ? " " : kept;
  });
}

/** Folds the line breaks of a scalar in double quotes. Those that remain become escapes. */
function foldedEscapes(raw: string): string {
  const escaped = (text: string): string =>
    text
      .replaceAll("\n", String.raw`\n`)
      .replaceAll("\u2028", String.raw`\L`)
      .replaceAll("\u2029", String.raw`\P`);
  return raw.replace(foldedOrEscaped, (...found) => {
    const { kept, escape, breaks } = found.at(-1) as Readonly<Record<"kept" | "escape" | "breaks", string | undefined>>;
    return escape ?? escaped(breaks === undefined ? breaksIn(kept ?? "") : folded(breaks));
  });
}

/** A line of a block scalar, without its indentation. */
interface BlockLine {
  readonly text: string;
  /** Its line break; empty at the end of the document. */
  readonly end: string;
}

function blockText(raw: string, token: CST.BlockScalar): string {
  const [header, ...lines] = linesOf(raw);
  const [style] = /^[|>]\S*/.exec(header!.text)!;
  const digit = /\d/.exec(style)?.[0];
  const indent = digit === undefined ? indentOf(lines) : token.indent + Number(digit);
  let text = "";
  let leading = "";
  let trailing = "";
  let wasBlank = false;
  for (const line of lines) {
    const content = line.text.slice(indent);
    const end = breaksIn(line.end);
    if (content === "") {
      trailing += end;
      continue;
    }
    const isBlank = /^[ \t]/.test(content);
    const isFolded = style.startsWith(">") && leading === "\n" && !wasBlank && !isBlank;
    text += (isFolded ? (trailing === "" ? " " : "") : leading) + trailing + content;
    [leading, trailing, wasBlank] = [end, "", isBlank];
  }
  return text + (style.includes("-") ? "" : leading) + (style.includes("+") ? trailing : "");
}

function linesOf(raw: string): readonly BlockLine[] {
  const ends = raw.match(anyBreak) ?? [];
  return raw.split(anyBreak).map((text, index) => ({ text, end: ends[index] ?? "" }));
}

/** The indentation of the first line with content; the longest line of spaces before it cannot be longer. */
function indentOf(lines: readonly BlockLine[]): number {
  const first = lines.find(({ text }) => /[^ ]/.test(text));
  return first === undefined ? lines.reduce((longest, { text }) => Math.max(longest, text.length), 0) : first.text.search(/[^ ]/);
}
