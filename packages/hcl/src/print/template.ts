// SPDX-License-Identifier: Apache-2.0
/*
 * Templates as text. A template is flattened to alternating texts and sequences, including the content of directives, and these are
 * printed in order.
 */
import { isMarked, isKnown } from "@tenon/cty";
import type { ConditionalExpression, ForExpression } from "../syntax/expression.ts";
import type { WithoutRanges } from "../syntax/without-ranges.ts";
import { loopNames, oneLine, unprintable, type Printed, type Printer } from "./printer.ts";
import { escapeQuoted, escapeSigils, isVisible, unicodeEscape } from "./quote.ts";

interface Text {
  readonly sigil?: undefined;
  readonly text: string;
}

/** `${…}` or `%{ … }`. */
interface Sequence {
  readonly sigil: "$" | "%";
  readonly content: string;
}

type Piece = Text | Sequence;

type Conditional = WithoutRanges<ConditionalExpression>;

/** Text of a template in quotes, without the quotes. */
export function quotedTemplate(printer: Printer, parts: readonly Printed[]): string {
  return written(piecesOf(printer, parts), escapeQuoted, ({ text }) => {
    const sigil = text.at(-1)!;
    return escapeQuoted(text.slice(0, -1)) + unicodeEscape(sigil);
  });
}

/** Text of a template without quotes. */
export function bareTemplate(printer: Printer, parts: readonly Printed[]): string {
  const pieces = piecesOf(printer, parts, true);
  const text = written(pieces.map(escapeLoneReturn), escapeSigils, undefined);
  // The scanner skips a byte order mark at the start, so it is doubled.
  return text.startsWith("\ufeff") ? `\ufeff${text}` : text;
}

const loneReturn = /\r(?!\n)/;
const returnOfSigil = /([$%])\r$/;

/**
 * Puts a text into an interpolation if a sequence follows it after a carriage return without a newline, because the scanner would read
 * everything after that as text. After a sigil, the carriage return is part of the sigil's token, and needs no interpolation.
 */
function escapeLoneReturn(piece: Piece, index: number, { length }: readonly Piece[]): Piece {
  if (piece.sigil !== undefined || index === length - 1 || !loneReturn.test(piece.text.replace(returnOfSigil, "$1"))) return piece;
  return { sigil: "$", content: `"${escapeQuoted(piece.text)}"` };
}

/** A template of several lines as a heredoc, up to its end marker; undefined if quotes are shorter or required. */
export function heredoc(printer: Printer, parts: readonly Printed[]): string | undefined {
  const pieces = piecesOf(printer, parts);
  const texts = pieces.filter((piece) => piece.sigil === undefined).map(({ text }) => text);
  const lines = texts.join("").split("\n");
  const last = pieces.at(-1);
  const isFit = lines.length > 2 && last !== undefined && last.sigil === undefined && last.text.endsWith("\n") && texts.every(isVisible);
  if (!isFit || pieces.some((_, index) => needsTrim(pieces, index) || endsInSigil(pieces, index))) return undefined;
  let marker = "EOT";
  for (let count = 2; lines.some((line) => line.trim() === marker); count++) marker = `EOT${count}`;
  return `<<${marker}\n${written(pieces, escapeSigils, undefined)}${marker}`;
}

/** Whether the end of a text would be read as part of the next sequence. */
function endsInSigil(pieces: readonly Piece[], index: number): boolean {
  const [piece, next] = [pieces[index]!, pieces[index + 1]];
  return piece.sigil === undefined && next?.sigil !== undefined && piece.text.endsWith(next.sigil);
}

/** Whether a piece is an empty text beside others, which only exists if white space was stripped from it. */
function needsTrim(pieces: readonly Piece[], index: number): boolean {
  return pieces.length > 1 && pieces[index]?.sigil === undefined && pieces[index]?.text === "";
}

/**
 * Prints pieces in order.
 *
 * @param escapeLast Escapes a text whose last character would be read as part of the next sequence. Without it, a space and a strip marker
 * separate the two.
 */
function written(pieces: readonly Piece[], escape: (text: string) => string, escapeLast: ((text: Text) => string) | undefined): string {
  let result = "";
  /** Whether the next sequence, or the previous one, strips white space. */
  let trims = false;
  for (const [index, piece] of pieces.entries()) {
    if (piece.sigil === undefined) {
      if (needsTrim(pieces, index)) {
        trims = index + 1 < pieces.length;
        result += " ";
      } else if (escapeLast === undefined && returnOfSigil.test(piece.text) && index + 1 < pieces.length) {
        trims = true;
        result += `${escape(piece.text)}\n`;
      } else if (!endsInSigil(pieces, index)) result += escape(piece.text);
      else if (escapeLast) result += escapeLast(piece);
      else {
        trims = true;
        result += `${escape(piece.text)} `;
      }
      continue;
    }
    const space = piece.sigil === "%" ? " " : "";
    const isBeforeNothing = index === pieces.length - 2 && needsTrim(pieces, index + 1);
    result += `${piece.sigil}{${trims ? "~ " : space}${piece.content}${isBeforeNothing ? " ~" : space}}`;
    trims = false;
  }
  return result;
}

/** Flattens a template. @param isBare Whether the template has no quotes or heredoc markers around it. */
function piecesOf(printer: Printer, parts: readonly Printed[], isBare = false): readonly Piece[] {
  const pieces: Piece[] = [];
  const [only] = parts;
  const isSingle = parts.length === 1 && only !== undefined && textIn(only) === undefined;
  // A single interpolation would keep the type of its value; an empty text before it makes the result a string.
  if (isSingle && !canBeDirective(only)) pieces.push({ text: "" });
  addParts(printer, parts, pieces, { isBare, prefersDirective: isSingle });
  return pieces;
}

interface Place {
  readonly isBare: boolean;
  readonly prefersDirective: boolean;
}

function addParts(printer: Printer, parts: readonly Printed[], pieces: Piece[], place: Place): void {
  for (const part of parts) {
    const text = textIn(part);
    if (text !== undefined) addText(text, pieces);
    else if (part.kind === "templateJoin") addLoop(printer, part.tuple, pieces, place);
    else if (part.kind === "conditional" && canBeDirective(part) && (place.prefersDirective || needsDirective(part, place))) {
      addConditional(printer, part, pieces, place);
    } else pieces.push({ sigil: "$", content: printer.expression(part, oneLine) });
  }
}

function addText(text: string, pieces: Piece[]): void {
  const before = pieces.at(-1);
  if (before?.sigil === undefined && before !== undefined) pieces[pieces.length - 1] = { text: before.text + text };
  else pieces.push({ text });
}

/** Text of a literal part of a template; undefined for other parts. */
function textIn(part: Printed): string | undefined {
  if (part.kind !== "literal" || part.value.type.kind !== "string" || isMarked(part.value) || !isKnown(part.value)) return undefined;
  return typeof part.value.payload === "string" ? part.value.payload : undefined;
}

function canBeDirective(part: Printed): boolean {
  if (part.kind === "templateJoin") return true;
  return part.kind === "conditional" && part.trueResult.kind === "template" && part.falseResult.kind === "template";
}

/** Whether a conditional is printed as a directive: if quotes would change a branch or make it hard to read, or the condition needs parentheses. */
function needsDirective({ condition, trueResult, falseResult }: Conditional, { isBare }: Place): boolean {
  const branches = [trueResult, falseResult].map((branch) => (branch.kind === "template" ? branch.parts : []));
  if (
    branches.some(([only, ...others]) => only !== undefined && others.length === 0 && textIn(only) === undefined && !canBeDirective(only))
  )
    return true;
  const texts = branches.flat().map((part) => textIn(part) ?? "");
  if (isBare && texts.some((text) => loneReturn.test(text))) return false;
  return condition.kind === "conditional" || texts.some((text) => text.includes("\n"));
}

function addConditional(printer: Printer, { condition, trueResult, falseResult }: Conditional, pieces: Piece[], place: Place): void {
  pieces.push({ sigil: "%", content: `if ${printer.expression(condition, oneLine)}` });
  addBranch(printer, trueResult, pieces, place);
  if (!isNothing(falseResult)) {
    pieces.push({ sigil: "%", content: "else" });
    addBranch(printer, falseResult, pieces, place);
  }
  pieces.push({ sigil: "%", content: "endif" });
}

function addLoop(printer: Printer, tuple: WithoutRanges<ForExpression>, pieces: Piece[], place: Place): void {
  const { collection, key, value, condition, group } = tuple;
  if (key !== undefined || condition !== undefined || group) throw unprintable("a loop in a template with a key, grouping or a condition");
  const names = loopNames(tuple);
  pieces.push({ sigil: "%", content: `for ${names} in ${printer.expression(collection, oneLine)}` });
  addBranch(printer, value, pieces, place);
  pieces.push({ sigil: "%", content: "endfor" });
}

function isNothing(branch: Printed): boolean {
  return branch.kind === "template" && branch.parts.every((part) => textIn(part) === "");
}

function addBranch(printer: Printer, branch: Printed, pieces: Piece[], { isBare }: Place): void {
  if (isNothing(branch)) return;
  addParts(printer, branch.kind === "template" ? branch.parts : [branch], pieces, { isBare, prefersDirective: false });
}
