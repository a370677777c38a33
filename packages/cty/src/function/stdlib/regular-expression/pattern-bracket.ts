// SPDX-License-Identifier: Apache-2.0
import { classOf, unknownName } from "./class-escape.ts";
import { complementOf, foldedIn, newCaseIn, unicodeClass } from "./unicode-class.ts";

/** A bracket of a pattern, and its form in the engine's syntax. */
export interface Bracket {
  readonly original: string;
  readonly written: { readonly text: string; readonly parts: ReadonlyMap<string, string> };
}

const unicode: RegExp = /\\[pP](?:\{[^}]*\}|[^{])/uy;
const perl: RegExp = /\\[dDsSwW]/y;
const codePoint: RegExp = /\\x\{([0-9a-fA-F]+)\}|\\x([0-9a-fA-F]{2})|\\([0-7]{1,3})|\\([^\w])|\\([afnrtv])|([^\\])/uy;
const controls: ReadonlyMap<string, number> = new Map(
  Array.from("\x07\f\n\r\t\v", (character, index) => ["afnrtv"[index]!, character.charCodeAt(0)]),
);
const names: ReadonlySet<string> = new Set(
  "alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit".split(" ").flatMap((name) => [name, `^${name}`]),
);

/**
 * Reads a bracket like Go, item by item. From the first error on, the text is left as it is: the engine reports the error.
 *
 * @see go regexp/syntax parser.parseClass
 */
export function readBracket(text: string, start: number, foldsCase: boolean): Bracket {
  const parts = new Map<string, string>();
  const opening = text.startsWith("[^", start) ? "[^" : "[";
  let at = start + opening.length;
  let items = "";
  let item = "";
  /** The characters as ranges in the engine's syntax; undefined after a class whose characters are not known. */
  let ranges: string | undefined = "";

  const match = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text) ?? undefined;
  };
  const write = (original: string, written: string): void => {
    if (written !== original) parts.set(written, original);
    items += written;
    at += original.length;
  };
  /** Reads one character, and returns its end; undefined if there is no character. */
  const readCharacter = (from: number): { readonly value: number; readonly end: number } | undefined => {
    codePoint.lastIndex = from;
    const found = codePoint.exec(text);
    if (found === null) return undefined;
    const [whole, braced, two, octal, escaped, control, plain] = found;
    const value =
      octal === undefined
        ? (controls.get(control ?? "") ?? ((escaped ?? plain)?.codePointAt(0) || Number.parseInt(braced ?? two ?? "0", 16)))
        : Number.parseInt(octal, 8);
    return { value, end: from + whole.length };
  };
  const rest = (): Bracket => ({ original: text.slice(start), written: { text: opening + items + text.slice(at), parts } });

  for (let first = true; first || text[at] !== "]"; first = false) {
    if (at >= text.length) return rest();
    if (text.startsWith("[:", at)) {
      const end = text.indexOf(":]", at + 2);
      const name = end < 0 ? undefined : text.slice(at, end + 2);
      if (name !== undefined && !names.has(name.slice(2, -2))) {
        write(name, `[:unknown${at}:]`);
        return rest();
      }
      if (name !== undefined) {
        write(name, name);
        ranges = undefined;
        continue;
      }
      // The engine reads this colon as both the start and the end of a class name.
      if (text[at + 2] === "]") {
        items += "\\[";
        at++;
        if (ranges !== undefined) ranges += "\\x{5b}";
        parts.set("\\[:]", "[:]");
        continue;
      }
    }
    const [escape] = match(unicode) ?? [];
    if (escape !== undefined) {
      const { name, negated } = classOf(escape);
      const members = unicodeClass(name, negated && foldsCase);
      // For an empty class, a lone surrogate is written, which no text contains.
      const written = members === undefined ? undefined : negated ? complementOf(members) || "\\x{d800}" : members;
      write(escape, written ?? unknownName(escape));
      if (ranges !== undefined) ranges += written ?? "";
      continue;
    }
    const [shorthand] = match(perl) ?? [];
    if (shorthand !== undefined) {
      write(shorthand, shorthand);
      ranges = undefined;
      continue;
    }
    const low = readCharacter(at);
    if (low === undefined) return rest();
    let high = low;
    if (text[low.end] === "-" && low.end + 1 < text.length && text[low.end + 1] !== "]") {
      const end = readCharacter(low.end + 1);
      if (end === undefined || end.value < low.value) return rest();
      high = end;
    }
    if (ranges !== undefined) ranges += `\\x{${low.value.toString(16)}}-\\x{${high.value.toString(16)}}`;
    item = text.slice(at, high.end);
    write(item, item);
  }
  const original = text.slice(start, at + 1);
  if (foldsCase && ranges !== undefined && newCaseIn(ranges)) {
    // A dash that was the last item is escaped: it would form a range with the appended characters.
    const closed = item === "-" && items.endsWith(item) ? `${items.slice(0, -1)}\\-` : items;
    return { original, written: { text: `(?-i:${opening}${closed}${foldedIn(ranges)}])`, parts } };
  }
  return { original, written: { text: `${opening}${items}]`, parts } };
}
