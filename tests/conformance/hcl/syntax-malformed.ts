// SPDX-License-Identifier: Apache-2.0
/* Random and damaged inputs for every function that reads source text. Checks invariants of @tenon/hcl; needs no oracle. */
import { isUtf8 } from "node:buffer";
import {
  parseConfig,
  parseExpression,
  parseJson,
  parseJsonExpression,
  parseTemplate,
  parseTraversal,
  parseTraversalPartial,
  type Diagnostic,
  type SourceRange,
} from "@tenon/hcl";
import { attributeAt, blocksAt, expressionAt, variables, walk, type SyntaxNode } from "@tenon/hcl/analysis";
import { isValidIdentifier, tokenize } from "@tenon/hcl/scan";
import { format, parseEditable } from "@tenon/hcl/write";
import type { Random } from "@tenon/testing/generate";
import { damageJson, JsonMaker } from "./syntax-json-source.ts";
import { tryToPrint } from "./syntax-print.ts";
import { damage, SourceMaker, wideTexts } from "./syntax-source.ts";

export interface MalformedInput {
  readonly kind: string;
  readonly source: string | Uint8Array;
}

/** A random input: a valid source, a damaged one, or random text or bytes. */
export function malformedInput(random: Random): MalformedInput {
  const maker = new SourceMaker(random, 2 + random.int(16));
  return random.weighted<() => MalformedInput>([
    [2, () => ({ kind: "whole config", source: maker.config() })],
    [1, () => ({ kind: "whole expression", source: maker.expression() })],
    [1, () => ({ kind: "whole template", source: maker.template() })],
    [5, () => ({ kind: "damaged config", source: damage(random, maker.config()) })],
    [2, () => ({ kind: "damaged expression", source: damage(random, maker.expression()) })],
    [2, () => ({ kind: "damaged template", source: damage(random, maker.template()) })],
    [2, () => ({ kind: "damaged JSON", source: damageJson(random, new JsonMaker(random).file()) })],
    [2, () => ({ kind: "cut off", source: cutOff(random, maker.config()) })],
    [2, () => ({ kind: "bytes flipped", source: flipped(random, Buffer.from(maker.config())) })],
    [1, () => ({ kind: "random bytes", source: Uint8Array.from(random.times(random.int(60), () => random.int(256))) })],
    [2, () => ({ kind: "punctuation", source: random.times(random.int(60), () => random.pick(signs)).join("") })],
    [1, () => ({ kind: "half pairs", source: random.times(random.int(30), () => random.pick([...signs, "\ud83d", "\ude00"])).join("") })],
  ])();
}

const signs: readonly string[] = [
  ...'""{}[]()$%~\\\n\r\t .,:=<>!?&|^*/+-;\'`#aZ0_',
  "${",
  "%{",
  "~}",
  "<<E\n",
  "E\n",
  "/*",
  "*/",
  "\u0000",
  ...wideTexts,
];

function cutOff(random: Random, source: string): string {
  return source.slice(0, random.int(source.length + 1));
}

function flipped(random: Random, bytes: Uint8Array): Uint8Array {
  for (let count = 1 + random.int(4); count > 0 && bytes.length > 0; count--) bytes[random.int(bytes.length)] = random.int(256);
  return bytes;
}

export interface MalformedOutcome {
  /** Number of syntaxes (body, expression, template) in which the input is valid, and its tree was printed. */
  readonly printed: number;
  /** The invariant that parsing or printing violated, if any. */
  readonly problem?: string | undefined;
}

/** Checks every invariant that must hold for any input. */
export function tryMalformed(input: MalformedInput): MalformedOutcome {
  const problem = problemWith(input);
  if (problem !== undefined) return { printed: 0, problem };
  try {
    return tryToPrint(input.source);
  } catch (error) {
    return { printed: 0, problem: textOf(error) };
  }
}

function problemWith({ source }: MalformedInput): string | undefined {
  const length = typeof source === "string" ? Buffer.byteLength(source) : source.length;
  const check = (range: SourceRange, what: string): void => {
    if (!isValidRange(range, length)) throw new InvalidRange(`${what} has the range ${JSON.stringify(range)} in ${length} bytes`);
  };
  const checkAll = (diagnostics: readonly Diagnostic[]): void => {
    for (const { summary, subject, context } of diagnostics) {
      if (subject) check(subject, summary);
      if (context) check(context, `the context of ${summary}`);
    }
  };
  const checkTree = (root: SyntaxNode): void => {
    walk(root, { enter: (node) => check(node.range, node.kind) });
  };
  try {
    for (const recovery of ["every-item", "first-error"] as const) {
      const { body, diagnostics } = parseConfig(source, "", { recovery });
      checkAll(diagnostics);
      checkTree(body);
      for (const offset of [0, length >> 1, length]) {
        blocksAt(body, offset);
        attributeAt(body, offset);
        expressionAt(body, offset);
      }
    }
    for (const parse of [parseExpression, parseTemplate]) {
      const { expression, diagnostics } = parse(source, "");
      checkAll(diagnostics);
      checkTree(expression);
      variables(expression);
    }
    for (const parse of [parseTraversal, parseTraversalPartial]) checkAll(parse(source, "").diagnostics);
    checkAll(parseJsonExpression(source, "").diagnostics);
    checkAll(parseJson(source, "").diagnostics);
    if (typeof source === "string") isValidIdentifier(source);
    format(Buffer.from(source));
    return recoveryMismatch(source) ?? lostBytes(source) ?? editableMismatch(Buffer.from(source).toString());
  } catch (error) {
    return textOf(error);
  }
}

function textOf(error: unknown): string {
  return error instanceof InvalidRange ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
}

class InvalidRange extends Error {}

/** Whether a range lies in the source, with lines and columns from 1. It may end one byte behind it: an error at the end of a JSON string does. */
function isValidRange({ start, end }: SourceRange, length: number): boolean {
  const ends = [start, end];
  return ends.every(({ line, column, byte }) => line >= 1 && column >= 1 && byte >= 0 && byte <= length + 1);
}

/** Both recovery modes must agree on whether a source has errors. */
function recoveryMismatch(source: string | Uint8Array): string | undefined {
  const first = parseConfig(source, "", { recovery: "first-error" }).diagnostics;
  const every = parseConfig(source, "", { recovery: "every-item" }).diagnostics;
  if (first.length > 0 && every.length === 0) return `"every-item" reports no error, "first-error" reports ${JSON.stringify(first[0])}`;
  if (first.length === 0 && every.length > 0) return `"first-error" reports no error, "every-item" reports ${JSON.stringify(every[0])}`;
  return undefined;
}

/** The tokens and the white space between them must cover the source byte for byte. */
function lostBytes(source: string | Uint8Array): string | undefined {
  const bytes = Buffer.from(source as string);
  for (const template of [false, true]) {
    let at = 0;
    for (const { type, text, range } of tokenize(source, "", { template }).tokens) {
      const between = bytes.toString("utf8", at, range.start.byte);
      if (!(at === 0 ? /^\ufeff?[ \t]*$/ : /^[ \t]*$/).test(between)) {
        return `${JSON.stringify(between)} is lost before ${type}`;
      }
      const written = bytes.subarray(range.start.byte, range.end.byte);
      if (isUtf8(written) && written.toString() !== text)
        return `${type} has the text ${JSON.stringify(text)} for ${JSON.stringify(written.toString())}`;
      at = range.end.byte;
    }
    if (at !== bytes.length) return `the tokens end at ${at} of ${bytes.length} bytes`;
  }
  return undefined;
}

/** An editable source without edits must be written byte for byte. */
function editableMismatch(source: string): string | undefined {
  const { body } = parseEditable(source, "");
  return body === undefined || body.toString() === source ? undefined : `written as ${JSON.stringify(body.toString())}`;
}
