// SPDX-License-Identifier: Apache-2.0
/* Generates cases about syntax: tokens, trees and syntax errors. */
import type { Case, Json } from "../cty/notation.ts";
import type { Random } from "@tenon/testing/generate";
import { damageJson, JsonMaker } from "./syntax-json-source.ts";
import { damage, SourceMaker, wideTexts } from "./syntax-source.ts";

export interface SyntaxCase {
  readonly input: Case;
  readonly constructs: Iterable<string>;
}

/** Byte sequences that are invalid UTF-8. */
const badBytes: readonly (readonly number[])[] = [[0xff], [0x80], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xc0, 0x80]];

/** A case with a file, expression or template; half of them are damaged. */
export function syntaxCase(random: Random): SyntaxCase {
  const maker = new SourceMaker(random, 4 + random.int(24));
  const op = random.weighted([
    [4, "parse.config"],
    [2, "parse.expression"],
    [2, "parse.template"],
  ] as const);
  let source = op === "parse.config" ? maker.config() : op === "parse.expression" ? maker.expression() : maker.template();
  const isDamaged = random.chance(0.5);
  if (isDamaged) source = damage(random, source);
  const constructs = [op, ...(isDamaged ? ["damaged"] : []), ...constructsIn(source)];
  if (!random.chance(0.04)) return { input: { op, args: [source] }, constructs };
  return { input: { op, args: [withBadBytes(random, source)] }, constructs: [...constructs, "bad bytes"] };
}

/** Inserts invalid UTF-8 into the source; returns the bytes in the oracle's notation. */
export function withBadBytes(random: Random, source: string): Json {
  // A space follows the invalid bytes, because the Go library treats some lead bytes and the next byte as a letter.
  const points = Array.from(source);
  const at = random.int(points.length + 1);
  const bytes = [
    Buffer.from(points.slice(0, at).join("")),
    Buffer.from([...random.pick(badBytes), 0x20]),
    Buffer.from(points.slice(at).join("")),
  ];
  return { hex: Buffer.concat(bytes).toString("hex") };
}

const marks: readonly (readonly [string, RegExp])[] = [
  ["heredoc", /<<[\p{L}_]/u],
  ["flush heredoc", /<<-/],
  ["interpolation", /\$\{/],
  ["directive", /%\{/],
  ["trim mark", /[{]~|~[}]/],
  ["comment", /#|\/\/|\/\*/],
  ["escape", /\\|\$\$\{|%%\{/],
  ["for", /[[{]\s*for /],
  ["splat", /\[\*\]|\.\*/],
  ["legacy index", /\.\d/],
  ["function", /\w\(/],
  ["namespace", /::/],
  ["expansion", /\.\.\./],
  ["conditional", /\?/],
  ["wide", /[\u0080-\uffff]/],
  ["block", /\{\s*\n/],
];

/** Constructs of the language that occur in a source, found by patterns. */
export function constructsIn(source: string): string[] {
  return marks.filter(([, pattern]) => pattern.test(source)).map(([name]) => name);
}

/** Pieces that begin, end or interrupt a token. */
const tokenPieces: readonly string[] = [
  ...'""""{}{}[]()$$%%~~\\\n\n\r\t .,:=<>!?&|^*/+-;\'`#@aE_019',
  "${",
  "%{",
  "$${",
  "%%{",
  "${~",
  "~}",
  "<<E\n",
  "<<-E\n",
  "E\n",
  " E\n",
  "<<a-é\r\n",
  "a-é\r\n",
  "\r\n",
  '\\"',
  "/*",
  "*/",
  "//",
  "...",
  "1.5e3",
  "\ufeff",
  "\u0000",
  ...wideTexts,
];

/** A case for the scanner: a valid source, a damaged one, or random pieces. */
export function tokenCase(random: Random): SyntaxCase {
  const op = random.weighted([
    [4, "lex.config"],
    [1, "lex.expression"],
    [3, "lex.template"],
  ] as const);
  const maker = new SourceMaker(random, 2 + random.int(16));
  const sort = random.weighted([
    [2, "whole"],
    [3, "damaged"],
    [4, "pieces"],
  ] as const);
  let source = op === "lex.template" ? maker.template() : maker.config();
  if (sort === "damaged") source = damage(random, source);
  if (sort === "pieces") source = random.times(random.int(40), () => random.pick(tokenPieces)).join("");
  const constructs = [op, sort, ...constructsIn(source)];
  if (!random.chance(0.1)) return { input: { op, args: [source] }, constructs };
  return { input: { op, args: [withBadBytes(random, source)] }, constructs: [...constructs, "bad bytes"] };
}

/** A case with JSON; half of them are damaged. */
export function jsonSyntaxCase(random: Random): SyntaxCase {
  let source = new JsonMaker(random).file();
  const isDamaged = random.chance(0.5);
  if (isDamaged) source = damageJson(random, source);
  return { input: { op: "json.expression", args: [source] }, constructs: ["json", ...(isDamaged ? ["damaged"] : [])] };
}

/** A case for traversals, for static analysis of expressions, for identifiers, or for the node at an offset. */
export function staticCase(random: Random): SyntaxCase {
  const maker = new SourceMaker(random, 1 + random.int(8));
  switch (random.int(4)) {
    case 0: {
      let source = `${random.pick(["a", "b.c", "each", "größe", "1", ""])}${random
        .times(random.int(4), () =>
          random.pick([".x", "[0]", '["k"]', "[*]", ".*", ".0", "[a]", "[1..2]", '["${x}"]', "[", "]", ".", " ", "\n", '["é\\q"]', "[0"]),
        )
        .join("")}`;
      if (random.chance(0.2)) source = damage(random, source);
      return { input: { op: random.pick(["parse.traversal", "parse.traversalPartial"]), args: [source] }, constructs: ["traversal"] };
    }
    case 1: {
      const source = random.chance(0.3) ? damage(random, maker.config()) : maker.config();
      return { input: { op: "at", args: [source, random.int(Buffer.byteLength(source) + 2)] }, constructs: ["at"] };
    }
    case 2: {
      const name = random.times(random.int(4), () => random.pick(["a", "-", "_", "1", ".", " ", ...wideTexts])).join("");
      return { input: { op: "validIdentifier", args: [name] }, constructs: ["identifier"] };
    }
    default: {
      const syntax = random.pick(["native", "template", "json"]);
      const source = syntax === "json" ? new JsonMaker(random).value() : syntax === "template" ? maker.template() : maker.expression();
      return { input: { op: "static", args: [syntax, source] }, constructs: ["static"] };
    }
  }
}
