// SPDX-License-Identifier: Apache-2.0
import { RE2JS, RE2JSSyntaxException } from "re2js";
import { isNewer } from "../../../text/normalize.ts";
import { rewritePattern } from "./pattern-rewrite.ts";

/** A compiled regular expression with Go's syntax and semantics. Matching takes linear time for every pattern. */
export interface Pattern {
  /** Names of the groups, in order; undefined for a group without a name. */
  readonly groups: readonly (string | undefined)[];
  readonly engine: RE2JS;
}

/** Start and end of a match and of each of its groups: two numbers each, the whole match first; -1 for a group that did not participate. */
export type Match = readonly number[];

/** A syntax error in a pattern. */
export class PatternError extends Error {
  /** Go's text for the kind of error. */
  readonly reason: string;
  /** The part of the pattern that has the error. */
  readonly expression: string;

  constructor(reason: string, expression: string, options: ErrorOptions) {
    super(`${reason}: ${expression}`, options);
    this.reason = reason;
    this.expression = expression;
  }
}

const compiled = new Map<string, Pattern>();
/** Maximum number of compiled patterns in the cache. One pattern is mostly used several times in a row: for the result's type, for the result, for the next element of a list. */
const cacheSize = 50;

/** Compiles a pattern, or returns it from the cache. @throws PatternError for an invalid pattern. */
export function compilePattern(text: string): Pattern {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const pattern = compile(text);
  if (compiled.size >= cacheSize) compiled.delete(compiled.keys().next().value!);
  compiled.set(text, pattern);
  return pattern;
}

function compile(text: string): Pattern {
  const rewritten = rewritePattern(text);
  try {
    const engine = RE2JS.compile(rewritten.text);
    const groups = Array.from({ length: engine.groupCount() }, (): string | undefined => undefined);
    for (const [name, number] of Object.entries(engine.namedGroups())) groups[number - 1] = rewritten.nameOf(name);
    return { groups, engine };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw new PatternError(error.error, rewritten.restore(error.input ?? ""), { cause: error });
  }
}

/** Returns the first match at or after a position. */
export function findMatch({ engine, groups }: Pattern, text: string, from = 0): Match | undefined {
  const matcher = engine.matcher(text);
  if (!matcher.find(from)) return undefined;
  return Array.from({ length: groups.length + 1 }, (_, group) => [matcher.start(group), matcher.end(group)]).flat();
}

/** All matches that do not overlap. An empty match directly after another match is skipped. @see go regexp.Regexp.allMatches */
export function* findMatches(pattern: Pattern, text: string): Generator<Match, void> {
  let lastEnd = -1;
  for (let from = 0; from <= text.length;) {
    const match = findMatch(pattern, text, from);
    if (match === undefined) return;
    const [start, end] = match as [number, number];
    const empty = end === from;
    if (!empty || start !== lastEnd) yield match;
    from = empty ? from + ((text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1) : end;
    lastEnd = end;
  }
}

/** Returns the text with each match replaced by a template. @see go regexp.Regexp.ReplaceAllString */
export function replaceMatches(pattern: Pattern, text: string, template: string): string {
  let result = "";
  let copied = 0;
  for (const match of findMatches(pattern, text)) {
    result += text.slice(copied, match[0]) + expand(pattern, text, match, template);
    copied = match[1]!;
  }
  return result + text.slice(copied);
}

const reference: RegExp = /\$(?:\$|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu;
const groupNumber: RegExp = /^(?:0|[1-9]\d{0,8})$/;

/** Expands a template. A name without braces extends over all following letters, digits and underscores: `$1x` is the group "1x". @see go regexp.Regexp.Expand */
function expand({ groups }: Pattern, text: string, match: Match, template: string): string {
  return template.replace(reference, (whole, braced: string | undefined, bare: string | undefined) => {
    if (whole === "$$") return "$";
    const name = oldLetters(braced ?? bare!);
    const rest = (braced ?? bare!).slice(name.length);
    if (name === "" || (braced !== undefined && rest !== "")) return whole;
    const start = (group: number): number => match[2 * group] ?? -1;
    const named = (): number => groups.findIndex((candidate, index) => candidate === name && start(index + 1) >= 0) + 1 || -1;
    const group = groupNumber.test(name) ? Number(name) : named();
    return (start(group) < 0 ? "" : text.slice(start(group), match[2 * group + 1])) + rest;
  });
}

/** The name up to the first letter that is not in Unicode 15.0. */
function oldLetters(name: string): string {
  let end = 0;
  for (const character of name) {
    if (isNewer(character.codePointAt(0)!)) break;
    end += character.length;
  }
  return name.slice(0, end);
}
