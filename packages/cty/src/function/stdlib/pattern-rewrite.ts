// SPDX-License-Identifier: Apache-2.0
import { unicodeClass } from "./unicode-class.ts";

/** A pattern in the words of the engine, and the way back. */
export interface RewrittenPattern {
  readonly text: string;
  /** The name that a group has in the original. */
  readonly nameOf: (group: string) => string;
  /** A part of the pattern as it is in the original. */
  readonly restore: (part: string) => string;
}

const untouched = (part: string): string => part;

/** Quoted text, a class of Unicode, another escape, a bracket, or the beginning of a group with a name. */
const pieces: RegExp =
  /\\Q[^]*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|[^{])|\\[^]|\[\^?\]?(?:\\[pP]\{[^}]*\}|\\[^]|\[:\^?\w+:\]|[^\]\\])*(?:\]|$)|\(\?P?<(\w+)>/gu;
/** Only what is said in other words makes a pattern worth reading. */
const special: RegExp = /\\[pP]|\(\?P?<|\[:\]/;

/**
 * Says in the engine's words what it would refuse or understand otherwise than Go: groups that share a name, classes of
 * characters by all the names Go has for them, and as they were in Unicode 15.0.
 */
export function rewritePattern(text: string): RewrittenPattern {
  if (!special.test(text)) return { text, nameOf: untouched, restore: untouched };
  const foldsCase = /\(\?[a-zA-Z]*i/.test(text);
  const names = new Map<string, string>();
  const used = new Set<string>();
  const originals = new Map<string, string>();
  const said = (written: string, original: string): string => {
    if (written !== original) originals.set(written, original);
    return written;
  };
  const rewritten = text.replace(pieces, (piece, name: string | undefined, offset: number) => {
    if (name !== undefined) {
      if (!used.has(name)) {
        used.add(name);
        return piece;
      }
      const unique = unusedName(text, names.size);
      names.set(unique, name);
      return said(`(?P<${unique}>`, piece);
    }
    if (piece.startsWith("[")) {
      const [opening = ""] = /^\[\^?/.exec(piece)!;
      const classes = opening + piece.slice(opening.length).replace(escapes, (escape) => said(inBrackets(escape, foldsCase), escape));
      return classes.endsWith("[:]") ? `${classes.slice(0, -3)}${emptyName(text, offset + piece.length - 3, said)}` : classes;
    }
    return said(alone(piece), piece);
  });
  return {
    text: rewritten,
    nameOf: (group) => names.get(group) ?? group,
    restore: (part) =>
      part === rewritten
        ? text
        : [...originals].reduce((restored, [written, original]) => restored.replaceAll(written, () => original), part),
  };
}

/** A name that no group of the pattern has. */
function unusedName(text: string, count: number): string {
  let name = `again${count}`;
  while (text.includes(name)) name += "_";
  return name;
}

/** A bracket that ends in `[:]`: for Go a name begins there, if one ends anywhere behind. */
function emptyName(text: string, at: number, said: (written: string, original: string) => string): string {
  const end = text.indexOf(":]", at + 2);
  return end < 0 ? said("\\[:]", "[:]") : `${said(`[:unknown${at}:]`, text.slice(at, end + 2))}]`;
}

/** A class after a hyphen is the end of a range, and no good as one. */
const escapes: RegExp = /(?:\\[^pPdDsSwW]|[^\\\]])-\\[pP](?:\{[^}]*\}|[^{])|\\[pP](?:\{[^}]*\}|[^{])|\\[^]/gu;
const classEscape: RegExp = /^\\([pP])(?:\{(\^?)([^]*)\}|([^]))$/u;

interface ClassEscape {
  readonly name: string;
  readonly negated: boolean;
}

function classOf(escape: string): ClassEscape | undefined {
  const match = classEscape.exec(escape);
  if (match === null) return undefined;
  const [, letter, caret, long, short] = match;
  return { name: long ?? short!, negated: (letter === "P") !== (caret === "^") };
}

const anything = "\\x{0}-\\x{10ffff}";

/** The engine says of it what Go says of an unknown name; the name is put back then. */
function unknownName(escape: string): string {
  return escape.includes("{") ? `\\p{unknown ${escape.slice(1, -1).replace("{", ": ")}}` : escape;
}

function alone(escape: string): string {
  const found = classOf(escape);
  if (found === undefined) return escape;
  const ranges = unicodeClass(found.name);
  if (ranges === undefined) return unknownName(escape);
  // A class without characters cannot be written as one.
  if (ranges === "") return found.negated ? `[${anything}]` : `[^${anything}]`;
  return `[${found.negated ? "^" : ""}${ranges}]`;
}

/** A negated class lacks the letters it negates in either case, where case does not count. */
function inBrackets(escape: string, foldsCase: boolean): string {
  const found = classOf(escape);
  if (found === undefined) return escape;
  const ranges = unicodeClass(found.name, found.negated && foldsCase);
  if (ranges === undefined) return unknownName(escape);
  // No text has half a character.
  return found.negated ? complement(ranges) || "\\x{d800}" : ranges;
}

function complement(ranges: string): string {
  let next = 0;
  let text = "";
  for (const [, first, last] of ranges.matchAll(/\\x\{(\w+)\}-\\x\{(\w+)\}/g)) {
    const start = Number.parseInt(first!, 16);
    if (start > next) text += `\\x{${next.toString(16)}}-\\x{${(start - 1).toString(16)}}`;
    next = Number.parseInt(last!, 16) + 1;
  }
  return next > 0x10ffff ? text : `${text}\\x{${next.toString(16)}}-\\x{10ffff}`;
}
