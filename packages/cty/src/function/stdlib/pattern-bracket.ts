// SPDX-License-Identifier: Apache-2.0
import { classOf, unknownName } from "./class-escape.ts";
import { complementOf, foldedIn, newCaseIn, unicodeClass } from "./unicode-class.ts";

/** A bracket of a pattern, and how to say it to the engine. */
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
 * Reads a bracket as Go does, item by item. What is wrong with it is left to the engine, from there on.
 *
 * @see go regexp/syntax parser.parseClass
 */
export function readBracket(text: string, start: number, foldsCase: boolean): Bracket {
  const parts = new Map<string, string>();
  const opening = text.startsWith("[^", start) ? "[^" : "[";
  let at = start + opening.length;
  let items = "";
  let item = "";
  /** Characters in the engine's words; undefined once there is a class of which they are not known. */
  let ranges: string | undefined = "";

  const match = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text) ?? undefined;
  };
  const say = (original: string, written: string): void => {
    if (written !== original) parts.set(written, original);
    items += written;
    at += original.length;
  };
  /** One character, and where it ends; undefined for what is none. */
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
  const left = (): Bracket => ({ original: text.slice(start), written: { text: opening + items + text.slice(at), parts } });

  for (let first = true; first || text[at] !== "]"; first = false) {
    if (at >= text.length) return left();
    if (text.startsWith("[:", at)) {
      const end = text.indexOf(":]", at + 2);
      const name = end < 0 ? undefined : text.slice(at, end + 2);
      if (name !== undefined && !names.has(name.slice(2, -2))) {
        say(name, `[:unknown${at}:]`);
        return left();
      }
      if (name !== undefined) {
        say(name, name);
        ranges = undefined;
        continue;
      }
      // The engine takes the colon for the name's end as well as for its beginning.
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
      // No text has half a character.
      const written = members === undefined ? undefined : negated ? complementOf(members) || "\\x{d800}" : members;
      say(escape, written ?? unknownName(escape));
      if (ranges !== undefined) ranges += written ?? "";
      continue;
    }
    const [shorthand] = match(perl) ?? [];
    if (shorthand !== undefined) {
      say(shorthand, shorthand);
      ranges = undefined;
      continue;
    }
    const low = readCharacter(at);
    if (low === undefined) return left();
    let high = low;
    if (text[low.end] === "-" && low.end + 1 < text.length && text[low.end + 1] !== "]") {
      const end = readCharacter(low.end + 1);
      if (end === undefined || end.value < low.value) return left();
      high = end;
    }
    if (ranges !== undefined) ranges += `\\x{${low.value.toString(16)}}-\\x{${high.value.toString(16)}}`;
    item = text.slice(at, high.end);
    say(item, item);
  }
  const original = text.slice(start, at + 1);
  if (foldsCase && ranges !== undefined && newCaseIn(ranges)) {
    // A dash that was the last item would make a range with what comes behind it now.
    const closed = item === "-" && items.endsWith(item) ? `${items.slice(0, -1)}\\-` : items;
    return { original, written: { text: `(?-i:${opening}${closed}${foldedIn(ranges)}])`, parts } };
  }
  return { original, written: { text: `${opening}${items}]`, parts } };
}
