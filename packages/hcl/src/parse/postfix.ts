// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { Kind } from "../scan/token-kind.ts";
import type { AnonymousSymbolExpression, NativeExpression } from "../syntax/expression.ts";
import { placeholder, unknownText } from "../syntax/literal-values.ts";
import type { SourceRange } from "../syntax/position.ts";
import { rangeBetween } from "../syntax/range.ts";
import type { TraversalStep } from "../syntax/traversal.ts";
import { parseNumber } from "./number.ts";
import { maxNestingDepth, type Parser } from "./parser.ts";

/** Parses the attributes, indices and splats after a term. */
export function parsePostfix(parser: Parser, term: NativeExpression): NativeExpression {
  const first = parser.peekKind();
  if (first !== Kind.Dot && first !== Kind.OBrack) return term;
  const chain = new Chain(parser, term);
  for (;;) {
    switch (parser.peekKind()) {
      case Kind.Dot:
        parseAfterDot(parser, chain);
        break;
      case Kind.OBrack:
        parseInBrackets(parser, chain);
        break;
      default:
        return chain.expression();
    }
  }
}

/** A term with the attributes and indices so far. Steps with constant keys are collected into one traversal. */
class Chain {
  readonly mark: number;
  readonly start: SourceRange;
  readonly #parser: Parser;
  #base: NativeExpression;
  #steps: TraversalStep[] = [];
  #depth = 0;

  constructor(parser: Parser, term: NativeExpression) {
    this.#parser = parser;
    this.mark = parser.mark;
    this.start = term.range;
    this.#base = term;
  }

  step(step: TraversalStep): void {
    this.#steps.push(step);
  }

  /** Continues with `base`, which contains everything so far. Each call nests the tree one level deeper, so there is a limit. */
  replace(base: NativeExpression): void {
    this.#base = base;
    this.#steps = [];
    this.#depth += 1;
    if (this.#depth <= maxNestingDepth) return;
    if (this.#depth === maxNestingDepth + 1) this.#parser.reportDepth(this.#parser.previous());
    this.#base = { kind: "literal", value: placeholder, range: base.range };
  }

  expression(): NativeExpression {
    const base = this.#base;
    const last = this.#steps.at(-1);
    if (last === undefined) return base;
    const range = rangeBetween(base.range, last.range);
    // Copies have no spare capacity, which arrays that grew do have.
    const traversal = this.#steps;
    if (base.kind === "scopeTraversal") return { kind: "scopeTraversal", traversal: base.traversal.concat(traversal), range };
    if (base.kind === "relativeTraversal") {
      return { kind: "relativeTraversal", source: base.source, traversal: base.traversal.concat(traversal), range };
    }
    return { kind: "relativeTraversal", source: base, traversal: traversal.slice(), range };
  }
}

/** Parses `.name`, `.*`, or the legacy index `.0`. */
function parseAfterDot(parser: Parser, chain: Chain): void {
  const dot = parser.read();
  const token = parser.peek();
  switch (parser.kind(token)) {
    case Kind.Ident:
      parser.read();
      chain.step({ kind: "attribute", name: parser.tokens.name(token), range: parser.tokens.between(dot, token) });
      break;
    case Kind.NumberLit:
      parser.read();
      chain.step({ kind: "index", key: legacyIndex(parser, token, token, ""), range: parser.tokens.between(dot, token) });
      break;
    case Kind.Star:
      parser.read();
      parseAttributeSplat(parser, chain, dot, token);
      break;
    default:
      parser.error("Invalid attribute name", "An attribute name is required after a dot.", parser.range(token));
      // Kept for name completion in editors, which needs the expression before the dot.
      chain.replace({
        kind: "syntaxError",
        diagnostics: parser.diagnostics.slice(chain.mark),
        range: rangeBetween(chain.start, parser.range(dot)),
      });
      parser.recovering = true;
  }
}

/** Key of the legacy index `.0`. Two in a row are scanned as one number with a fraction, which is an error. */
function legacyIndex(parser: Parser, token: number, subject: number, hint: string): Value {
  const text = parser.tokens.text(token);
  const point = text.indexOf(".");
  if (point < 0) return parseNumber(parser, token);
  parser.error(
    "Invalid legacy index syntax",
    `When using the legacy index syntax, chaining two indexes together is not permitted. Use the proper index syntax${hint} instead, like [${text.slice(0, point)}][${text.slice(point + 1)}].`,
    parser.range(subject),
  );
  return placeholder;
}

/** Parses `.*.name.0`: attributes and constant indices only. */
function parseAttributeSplat(parser: Parser, chain: Chain, dot: number, star: number): void {
  const steps: TraversalStep[] = [];
  const first = parser.peek();
  let last = star;
  while (parser.peekKind() === Kind.Dot) {
    const dot = parser.read();
    const token = parser.peek();
    const kind = parser.kind(token);
    if (kind === Kind.NumberLit) {
      parser.read();
      const key = legacyIndex(parser, token, star, " with a full splat expression [*]");
      steps.push({ kind: "index", key, range: parser.tokens.between(dot, token) });
    } else if (kind === Kind.Ident) {
      parser.read();
      steps.push({ kind: "attribute", name: parser.tokens.name(token), range: parser.tokens.between(dot, token) });
    } else {
      reportNoAttribute(parser, token, star);
      return;
    }
    last = token;
  }
  const markerRange = parser.tokens.between(dot, star);
  const item: AnonymousSymbolExpression = { kind: "anonymousSymbol", range: markerRange };
  const each: NativeExpression =
    steps.length === 0
      ? item
      : { kind: "relativeTraversal", source: item, traversal: steps.slice(), range: parser.tokens.between(first, last) };
  chain.replace({
    kind: "splat",
    source: chain.expression(),
    each,
    item,
    markerRange,
    range: rangeBetween(chain.start, parser.range(last)),
  });
}

function reportNoAttribute(parser: Parser, token: number, star: number): void {
  if (!parser.recovering) {
    if (parser.kind(token) === Kind.Star) {
      parser.error(
        "Nested splat expression not allowed",
        "A splat expression (*) cannot be used inside another attribute-only splat expression.",
        parser.range(token),
      );
    } else {
      parser.error("Invalid attribute name", "An attribute name is required after a dot.", parser.range(star));
    }
  }
  parser.recovering = true;
}

/** Parses `[key]` or `[*]`. */
function parseInBrackets(parser: Parser, chain: Chain): void {
  const open = parser.read();
  if (parser.peekKind() === Kind.Star) parseFullSplat(parser, chain, open);
  else parseIndex(parser, chain, open);
}

/** Parses `[*]` and everything that follows it. */
function parseFullSplat(parser: Parser, chain: Chain, open: number): void {
  parser.read();
  let close = parser.read();
  if (parser.kind(close) !== Kind.CBrack && !parser.recovering) {
    const detail = 'The star for a full splat operator must be immediately followed by a closing bracket ("]").';
    close = reportNoBracket(parser, "Missing close bracket on splat index", detail, close);
  }
  const markerRange = parser.tokens.between(open, close);
  const item: AnonymousSymbolExpression = { kind: "anonymousSymbol", range: markerRange };
  let each: NativeExpression = item;
  if (parser.enter()) {
    each = parsePostfix(parser, item);
    parser.leave();
  }
  chain.replace({ kind: "splat", source: chain.expression(), each, item, markerRange, range: rangeBetween(chain.start, each.range) });
}

function parseIndex(parser: Parser, chain: Chain, open: number): void {
  parser.pushNewlines(false);
  const mark = parser.mark;
  const key = parser.expression();
  let close: number;
  if (parser.failedSince(mark)) close = parser.skipPast(Kind.CBrack);
  else {
    close = parser.read();
    if (parser.kind(close) !== Kind.CBrack && !parser.recovering) {
      close = reportNoBracket(parser, "Missing close bracket on index", 'The index operator must end with a closing bracket ("]").', close);
    }
  }
  parser.popNewlines();

  const bracketRange = parser.tokens.between(open, close);
  const constant = constantKey(key);
  if (constant !== undefined) {
    chain.step({ kind: "index", key: constant, range: bracketRange });
    return;
  }
  chain.replace({
    kind: "index",
    collection: chain.expression(),
    key,
    openRange: parser.range(open),
    bracketRange,
    range: rangeBetween(chain.start, bracketRange),
  });
}

/** Returns the token after which parsing continues. The Go library reports the error there, not at the missing bracket. */
function reportNoBracket(parser: Parser, summary: string, detail: string, token: number): number {
  const close = parser.skipPast(Kind.CBrack);
  parser.error(summary, detail, parser.range(parser.recovery === "first-error" ? close : token));
  return close;
}

/** Value of a literal, or of a template without interpolations. */
function constantKey(key: NativeExpression): Value | undefined {
  if (key.kind === "literal") return key.value;
  const part = key.kind === "template" && key.parts.length === 1 ? key.parts[0] : undefined;
  if (part?.kind !== "literal") return undefined;
  return part.value === placeholder ? unknownText : part.value;
}
