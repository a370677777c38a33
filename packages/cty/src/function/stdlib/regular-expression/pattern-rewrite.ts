// SPDX-License-Identifier: Apache-2.0
import { classOf, unknownName } from "./class-escape.ts";
import { readBracket } from "./pattern-bracket.ts";
import { hasNewCase, unicodeClass } from "./unicode-class.ts";

/** A pattern in the syntax of the engine, and the mapping back to the original. */
export interface RewrittenPattern {
  readonly text: string;
  /** Returns the name of a group in the original. */
  readonly nameOf: (group: string) => string;
  /** Returns a part of the pattern as it is in the original. */
  readonly restore: (part: string) => string;
}

const untouched = (part: string): string => part;

/** Matches patterns that need rewriting. */
const special: RegExp = /\\[pP]|\(\?P?<|\[:\]|\(\?[a-zA-Z]*i/;

const quoted: RegExp = /\\Q[^]*?(?:\\E|$)/y;
const unicode: RegExp = /\\[pP](?:\{[^}]*\}|[^{])/uy;
const character: RegExp = /\\x\{([0-9a-fA-F]+)\}|\\?([^])/uy;
const namedGroup: RegExp = /\(\?P?<(\w+)>/y;
const flagged: RegExp = /\(\?([imsU]*)(?:-([imsU]+))?([:)])/y;

/**
 * Rewrites the parts of a pattern that the engine would reject or interpret differently than Go: groups with the same name, names of
 * character classes that only Go knows, classes of Unicode 15.0, and letters that had no other case in Unicode 15.0.
 */
export function rewritePattern(text: string): RewrittenPattern {
  if (!special.test(text)) return { text, nameOf: untouched, restore: untouched };
  return new Rewriting(text).finish();
}

class Rewriting {
  readonly #text: string;
  #at = 0;
  #rewritten = "";
  /** Whether case is ignored at the current position. */
  #foldsCase = false;
  /** The value of {@link #foldsCase} after each open group, the innermost last. */
  readonly #outside: boolean[] = [];
  readonly #names = new Map<string, string>();
  readonly #used = new Set<string>();
  readonly #originals = new Map<string, string>();
  /** The pieces that were rewritten, and where each starts in the rewritten pattern. */
  readonly #changed: { readonly start: number; readonly written: string; readonly original: string }[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  finish(): RewrittenPattern {
    while (this.#at < this.#text.length) this.#piece();
    return {
      text: this.#rewritten,
      nameOf: (group) => this.#names.get(group) ?? group,
      restore: (part) => this.#restore(part),
    };
  }

  #restore(part: string): string {
    if (part === this.#rewritten) return this.#text;
    const restored = this.#restorePieces(part);
    if (this.#text.includes(restored)) return restored;
    // The part ends inside a rewritten piece, where the engine stopped reading. The same number of characters of the original is restored.
    const end = this.#rewritten.indexOf(part) + part.length;
    const piece = this.#changed.find(({ start, written }) => start < end && end < start + written.length);
    if (piece === undefined) return restored;
    const cut = end - piece.start;
    return this.#restorePieces(part.slice(0, -cut)) + piece.original.slice(0, cut);
  }

  #restorePieces(part: string): string {
    return [...this.#originals].reduce((restored, [written, original]) => restored.replaceAll(written, () => original), part);
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text) ?? undefined;
  }

  /** Appends the rewritten form of the next part of the pattern, and advances. */
  #append(original: string, written: string = original): void {
    if (written !== original) {
      this.#originals.set(written, original);
      this.#changed.push({ start: this.#rewritten.length, written, original });
    }
    this.#rewritten += written;
    this.#at += original.length;
  }

  #piece(): void {
    const next = this.#text[this.#at];
    if (next === "[") return this.#bracket();
    if (next === "(") return this.#group();
    if (next === ")") {
      this.#foldsCase = this.#outside.pop() ?? this.#foldsCase;
      return this.#append(")");
    }
    const [verbatim] = this.#match(quoted) ?? [];
    if (verbatim !== undefined) return this.#append(verbatim);
    const [escape] = this.#match(unicode) ?? [];
    if (escape !== undefined) return this.#append(escape, classAlone(escape, this.#foldsCase));
    const [whole, digits, plain] = this.#match(character)!;
    const codePoint = digits === undefined ? plain!.codePointAt(0)! : Number.parseInt(digits, 16);
    this.#append(whole, this.#foldsCase && hasNewCase(codePoint) ? `(?-i:${whole})` : whole);
  }

  #bracket(): void {
    const { original, written } = readBracket(this.#text, this.#at, this.#foldsCase);
    for (const [theirs, ours] of written.parts) this.#originals.set(theirs, ours);
    this.#append(original, written.text);
  }

  #group(): void {
    const flags = this.#match(flagged);
    if (flags?.[3] !== ")") this.#outside.push(this.#foldsCase);
    if (flags !== undefined) {
      const [whole, on = "", off = ""] = flags;
      this.#foldsCase = (this.#foldsCase || on.includes("i")) && !off.includes("i");
      return this.#append(whole);
    }
    const [opening, name] = this.#match(namedGroup) ?? ["("];
    if (name === undefined || !this.#used.has(name)) {
      if (name !== undefined) this.#used.add(name);
      return this.#append(opening);
    }
    const unique = unusedName(this.#text, this.#names.size);
    this.#names.set(unique, name);
    this.#append(opening, `(?P<${unique}>`);
  }
}

/** Returns a name that no group of the pattern has. */
function unusedName(text: string, count: number): string {
  let name = `again${count}`;
  while (text.includes(name)) name += "_";
  return name;
}

const anything = "\\x{0}-\\x{10ffff}";

function classAlone(escape: string, foldsCase: boolean): string {
  const { name, negated } = classOf(escape);
  const ranges = unicodeClass(name, foldsCase);
  if (ranges === undefined) return unknownName(escape);
  // The engine has no syntax for a class without characters.
  if (ranges === "") return negated ? `[${anything}]` : `[^${anything}]`;
  const bracket = `[${negated ? "^" : ""}${ranges}]`;
  return foldsCase ? `(?-i:${bracket})` : bracket;
}
