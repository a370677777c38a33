// SPDX-License-Identifier: Apache-2.0
/*
 * Templates as text. A template is flattened to pieces, texts and sequences in turn, and those are written: within a directive
 * everything is as outside of it.
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

/** What stands between quotes. */
export function quotedTemplate(printer: Printer, parts: readonly Printed[]): string {
  return written(piecesOf(printer, parts), escapeQuoted, ({ text }) => {
    const sigil = text.at(-1)!;
    return escapeQuoted(text.slice(0, -1)) + unicodeEscape(sigil);
  });
}

/** What is a source of its own. */
export function bareTemplate(printer: Printer, parts: readonly Printed[]): string {
  const pieces = piecesOf(printer, parts, true);
  const text = written(pieces.map(withoutLoneReturn), escapeSigils, undefined);
  // One byte order mark at the beginning is skipped.
  return text.startsWith("\ufeff") ? `\ufeff${text}` : text;
}

const loneReturn = /\r(?!\n)/;
const returnOfSigil = /([$%])\r$/;

/**
 * A carriage return that no newline follows makes text of all that comes behind it, so that none may come. Behind a sigil it belongs to
 * that, and the newline which may then follow can be taken away alone.
 */
function withoutLoneReturn(piece: Piece, index: number, { length }: readonly Piece[]): Piece {
  if (piece.sigil !== undefined || index === length - 1 || !loneReturn.test(piece.text.replace(returnOfSigil, "$1"))) return piece;
  return { sigil: "$", content: `"${escapeQuoted(piece.text)}"` };
}

/** A template of several lines, with the newline before which its marker stands; undefined where quotes are better, or the only way. */
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

/** Would the text be read as part of the sequence's opening? */
function endsInSigil(pieces: readonly Piece[], index: number): boolean {
  const [piece, next] = [pieces[index]!, pieces[index + 1]];
  return piece.sigil === undefined && next?.sigil !== undefined && piece.text.endsWith(next.sigil);
}

/** A text of nothing, where there is something else, is only there when white space was taken from it. */
function needsTrim(pieces: readonly Piece[], index: number): boolean {
  return pieces.length > 1 && pieces[index]?.sigil === undefined && pieces[index]?.text === "";
}

/**
 * @param escapeLast writes a text whose last character would be read with the sequence behind it; without it white space
 * stands between them, and a mark that takes it away.
 */
function written(pieces: readonly Piece[], escape: (text: string) => string, escapeLast: ((text: Text) => string) | undefined): string {
  let result = "";
  /** Is the space before the next sequence, or after the one before, to be taken away? */
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

/** @param isBare whether no quotes stand around it, nor a heredoc's markers. */
function piecesOf(printer: Printer, parts: readonly Printed[], isBare = false): readonly Piece[] {
  const pieces: Piece[] = [];
  const [only] = parts;
  const isSingle = parts.length === 1 && only !== undefined && textIn(only) === undefined;
  // One interpolation on its own would keep the type of its value; one that nothing stands before makes a text of it.
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

/** The text that a part of a template is. */
function textIn(part: Printed): string | undefined {
  if (part.kind !== "literal" || part.value.type.kind !== "string" || isMarked(part.value) || !isKnown(part.value)) return undefined;
  return typeof part.value.payload === "string" ? part.value.payload : undefined;
}

function canBeDirective(part: Printed): boolean {
  if (part.kind === "templateJoin") return true;
  return part.kind === "conditional" && part.trueResult.kind === "template" && part.falseResult.kind === "template";
}

/** Would quotes make something else of a branch, or is one hard to read between them, or would the condition need parentheses? */
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
  if (key !== undefined || condition !== undefined || group) throw unprintable("a loop in a template that has keys, groups or a condition");
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
