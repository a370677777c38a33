// SPDX-License-Identifier: Apache-2.0
import { classOf, unknownName } from "./class-escape.ts";
import { readBracket } from "./pattern-bracket.ts";
import { hasNewCase, unicodeClass } from "./unicode-class.ts";

/** A pattern in the words of the engine, and the way back. */
export interface RewrittenPattern {
  readonly text: string;
  /** The name that a group has in the original. */
  readonly nameOf: (group: string) => string;
  /** A part of the pattern as it is in the original. */
  readonly restore: (part: string) => string;
}

const untouched = (part: string): string => part;

/** Only what is said in other words makes a pattern worth reading. */
const special: RegExp = /\\[pP]|\(\?P?<|\[:\]|\(\?[a-zA-Z]*i/;

const quoted: RegExp = /\\Q[^]*?(?:\\E|$)/y;
const unicode: RegExp = /\\[pP](?:\{[^}]*\}|[^{])/uy;
const character: RegExp = /\\x\{([0-9a-fA-F]+)\}|\\?([^])/uy;
const namedGroup: RegExp = /\(\?P?<(\w+)>/y;
const flagged: RegExp = /\(\?([imsU]*)(?:-([imsU]+))?([:)])/y;

/**
 * Says in the engine's words what it would refuse or understand otherwise than Go: groups that share a name, classes of
 * characters by all the names Go has for them, as they were in Unicode 15.0, and letters that had no other case then.
 */
export function rewritePattern(text: string): RewrittenPattern {
  if (!special.test(text)) return { text, nameOf: untouched, restore: untouched };
  return new Rewriting(text).finish();
}

class Rewriting {
  readonly #text: string;
  #at = 0;
  #rewritten = "";
  /** Does case not count here? The groups around remember what holds behind them. */
  #foldsCase = false;
  readonly #outside: boolean[] = [];
  readonly #names = new Map<string, string>();
  readonly #used = new Set<string>();
  readonly #originals = new Map<string, string>();

  constructor(text: string) {
    this.#text = text;
  }

  finish(): RewrittenPattern {
    while (this.#at < this.#text.length) this.#piece();
    const [text, rewritten, names, originals] = [this.#text, this.#rewritten, this.#names, [...this.#originals]];
    return {
      text: rewritten,
      nameOf: (group) => names.get(group) ?? group,
      restore: (part) =>
        part === rewritten ? text : originals.reduce((restored, [written, original]) => restored.replaceAll(written, () => original), part),
    };
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text) ?? undefined;
  }

  /** Goes on behind a part of the pattern, which is said in these words. */
  #say(original: string, written: string = original): void {
    if (written !== original) this.#originals.set(written, original);
    this.#rewritten += written;
    this.#at += original.length;
  }

  #piece(): void {
    const next = this.#text[this.#at];
    if (next === "[") return this.#bracket();
    if (next === "(") return this.#group();
    if (next === ")") {
      this.#foldsCase = this.#outside.pop() ?? this.#foldsCase;
      return this.#say(")");
    }
    const [verbatim] = this.#match(quoted) ?? [];
    if (verbatim !== undefined) return this.#say(verbatim);
    const [escape] = this.#match(unicode) ?? [];
    if (escape !== undefined) return this.#say(escape, classAlone(escape, this.#foldsCase));
    const [whole, digits, plain] = this.#match(character)!;
    const codePoint = digits === undefined ? plain!.codePointAt(0)! : Number.parseInt(digits, 16);
    this.#say(whole, this.#foldsCase && hasNewCase(codePoint) ? `(?-i:${whole})` : whole);
  }

  #bracket(): void {
    const { original, written } = readBracket(this.#text, this.#at, this.#foldsCase);
    for (const [theirs, ours] of written.parts) this.#originals.set(theirs, ours);
    this.#say(original, written.text);
  }

  #group(): void {
    const flags = this.#match(flagged);
    if (flags?.[3] !== ")") this.#outside.push(this.#foldsCase);
    if (flags !== undefined) {
      const [whole, on = "", off = ""] = flags;
      this.#foldsCase = (this.#foldsCase || on.includes("i")) && !off.includes("i");
      return this.#say(whole);
    }
    const [opening, name] = this.#match(namedGroup) ?? ["("];
    if (name === undefined || !this.#used.has(name)) {
      if (name !== undefined) this.#used.add(name);
      return this.#say(opening);
    }
    const unique = unusedName(this.#text, this.#names.size);
    this.#names.set(unique, name);
    this.#say(opening, `(?P<${unique}>`);
  }
}

/** A name that no group of the pattern has. */
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
  // A class without characters cannot be written as one.
  if (ranges === "") return negated ? `[${anything}]` : `[^${anything}]`;
  const bracket = `[${negated ? "^" : ""}${ranges}]`;
  return foldsCase ? `(?-i:${bracket})` : bracket;
}
