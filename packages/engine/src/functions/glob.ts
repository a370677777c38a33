// SPDX-License-Identifier: Apache-2.0
import { posix } from "node:path";
import { FileForbiddenError, type FileAccess } from "./file-access.ts";

/** The error for a pattern with malformed brackets, braces or escapes. */
export class PatternSyntaxError extends Error {
  override readonly name = "PatternSyntaxError";
  constructor() {
    super("syntax error in pattern");
  }
}

/**
 * Returns the paths that match a pattern. `*` and `?` match characters except `/`; `[a-z]` and `[^a-z]` match one character; `{a,b}` matches
 * one of several texts; a part `**` matches any number of folders; `\` escapes the next character. The wildcards also match a leading dot.
 *
 * @throws PatternSyntaxError
 * @see doublestar v4 FilepathGlob
 */
export function glob(pattern: string, files: FileAccess): readonly string[] {
  requireValid(pattern);
  const found = new Set<string>();
  for (const alternative of alternatives(pattern)) {
    const isAbsolute = alternative.startsWith("/");
    const parts = alternative.split("/").filter((part, index) => part !== "" || (index === 0 && !isAbsolute));
    collect(isAbsolute ? "/" : ".", parts, files, found);
  }
  return [...found];
}

/** The path of a file relative to a folder that contains it. */
export function relativePath(folder: string, path: string): string {
  return posix.relative(folder, path);
}

const meta = /[*?[\\]/;

function collect(folder: string, parts: readonly string[], files: FileAccess, found: Set<string>): void {
  const [part, ...rest] = parts;
  if (part === undefined) {
    if (exists(folder, files)) found.add(folder);
    return;
  }
  if (!meta.test(part)) return collect(posix.join(folder, part), rest, files, found);
  if (part === "**") {
    collect(folder, rest, files, found);
    for (const name of files.list(folder)) {
      const path = posix.join(folder, name);
      if (isFolder(path, files)) collect(path, parts, files, found);
      else if (rest.length === 0) found.add(path);
    }
    return;
  }
  const matches = partPattern(part);
  for (const name of files.list(folder)) {
    const path = posix.join(folder, name);
    if (matches.test(name) && (rest.length === 0 || isFolder(path, files))) collect(path, rest, files, found);
  }
}

function exists(path: string, files: FileAccess): boolean {
  try {
    return files.kindOf(path) !== undefined;
  } catch (error) {
    return unreachable(error);
  }
}

function isFolder(path: string, files: FileAccess): boolean {
  try {
    return files.kindOf(path) === "directory";
  } catch (error) {
    return unreachable(error);
  }
}

/**
 * Returns false, because a pattern does not match files that cannot be read.
 *
 * @throws The error if the path itself is forbidden. A link that leads to a forbidden path is only left out.
 */
function unreachable(error: unknown): false {
  if (error instanceof FileForbiddenError && !error.isLink) throw error;
  return false;
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
}

/** Converts one part of a pattern, without braces, to a regular expression. */
function partPattern(part: string): RegExp {
  let source = "";
  for (let index = 0; index < part.length; index++) {
    const character = part[index]!;
    if (character === "*") source += "[^/]*";
    else if (character === "?") source += "[^/]";
    else if (character === "\\") source += literal(part[++index] ?? "");
    else if (character === "[") {
      const end = classEnd(part, index);
      source += classSource(part.slice(index + 1, end));
      index = end;
    } else source += literal(character);
  }
  return new RegExp(`^${source}$`, "su");
}

/** Converts the content of a bracketed class to the source of a regular expression. */
function classSource(content: string): string {
  const negated = content.startsWith("^") || content.startsWith("!");
  const members = Array.from(content.slice(negated ? 1 : 0).matchAll(/\\(.)|(.)/gsu), ([, escaped, plain]) => ({
    character: escaped ?? plain ?? "",
    isDash: plain === "-",
  }));
  const ranges: string[] = [];
  for (let index = 0; index < members.length; index++) {
    const { character } = members[index]!;
    const last = members[index + 1]?.isDash === true ? members[index + 2] : undefined;
    if (last === undefined) {
      ranges.push(escapedInClass(character));
      continue;
    }
    index += 2;
    if (character <= last.character) ranges.push(`${escapedInClass(character)}-${escapedInClass(last.character)}`);
  }
  if (ranges.length === 0) return negated ? "[^/]" : "(?!)";
  return negated ? `(?!/)[^${ranges.join("")}]` : `(?!/)[${ranges.join("")}]`;
}

function escapedInClass(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}

/** The position of the bracket that closes a class. A bracket at the start of the class is a member of it. */
function classEnd(pattern: string, start: number): number {
  let index = start + 1;
  if (pattern[index] === "^" || pattern[index] === "!") index++;
  const first = index;
  for (; index < pattern.length; index++) {
    if (pattern[index] === "\\") index++;
    else if (pattern[index] === "]" && index > first) return index;
  }
  throw new PatternSyntaxError();
}

function requireValid(pattern: string): void {
  let depth = 0;
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index];
    if (character === "\\") {
      if (++index >= pattern.length) throw new PatternSyntaxError();
    } else if (character === "[") index = classEnd(pattern, index);
    else if (character === "{") depth++;
    else if (character === "}" && --depth < 0) throw new PatternSyntaxError();
  }
  if (depth !== 0) throw new PatternSyntaxError();
}

/** Expands the braces of a pattern. */
function alternatives(pattern: string): readonly string[] {
  const group = firstGroup(pattern);
  if (group === undefined) return [pattern];
  const before = pattern.slice(0, group.start);
  const after = pattern.slice(group.end + 1);
  return group.options.flatMap((option) => alternatives(`${before}${option}${after}`));
}

function firstGroup(pattern: string): { readonly start: number; readonly end: number; readonly options: readonly string[] } | undefined {
  let start: number | undefined;
  let depth = 0;
  let optionStart = 0;
  const options: string[] = [];
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index];
    if (character === "\\") index++;
    else if (character === "[") index = classEnd(pattern, index);
    else if (character === "{" && depth++ === 0) {
      start = index;
      optionStart = index + 1;
    } else if (character === "," && depth === 1) {
      options.push(pattern.slice(optionStart, index));
      optionStart = index + 1;
    } else if (character === "}" && --depth === 0 && start !== undefined) {
      return { start, end: index, options: [...options, pattern.slice(optionStart, index)] };
    }
  }
  return undefined;
}
