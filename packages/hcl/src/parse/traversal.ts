// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { Kind } from "../scan/token-kind.ts";
import { textValue } from "../syntax/literal-values.ts";
import type { Traversal, TraversalStep } from "../syntax/traversal.ts";
import { parseNumber } from "./number.ts";
import type { Parser } from "./parser.ts";
import { parseQuotedString } from "./string-literal.ts";

/** Parses a reference up to the end of the source, or up to the first error. */
export function parseTraversalSteps(parser: Parser, allowSplats: boolean): Traversal {
  const root = parser.read();
  if (parser.kind(root) !== Kind.Ident) {
    parser.error("Variable name required", "Must begin with a variable name.", parser.range(root));
    return [];
  }
  const steps: TraversalStep[] = [{ kind: "root", name: parser.tokens.text(root), range: parser.range(root) }];
  const { mark } = parser;
  for (;;) {
    const next = parser.peek();
    switch (parser.kind(next)) {
      case Kind.Eof:
        return steps;
      case Kind.Dot:
        parseAttribute(parser, root, steps);
        break;
      case Kind.OBrack:
        parseIndex(parser, root, steps, allowSplats);
        break;
      default:
        parser.error(
          "Invalid character",
          "Expected an attribute access or an index operator.",
          parser.range(next),
          parser.tokens.between(root, next),
        );
    }
    if (parser.mark > mark) return steps;
  }
}

function parseAttribute(parser: Parser, root: number, steps: TraversalStep[]): void {
  const dot = parser.read();
  const name = parser.read();
  const kind = parser.kind(name);
  if (kind === Kind.Ident) {
    steps.push({ kind: "attribute", name: parser.tokens.text(name), range: parser.tokens.between(dot, name) });
    return;
  }
  const detail = kind === Kind.Star ? "Splat expressions (.*) may not be used here." : "Dot must be followed by attribute name.";
  parser.error("Attribute name required", detail, parser.range(name), parser.tokens.between(root, name));
}

function parseIndex(parser: Parser, root: number, steps: TraversalStep[], allowSplats: boolean): void {
  const open = parser.read();
  const next = parser.peek();
  const kind = parser.kind(next);
  let key: Value | undefined;
  if (kind === Kind.NumberLit) key = parseNumber(parser, parser.read());
  else if (kind === Kind.OQuote) key = textValue(parseQuotedString(parser).text);
  else if (kind === Kind.Star && allowSplats) parser.read();
  else {
    const context = parser.tokens.between(root, next);
    if (kind === Kind.Star) {
      parser.error("Attribute name required", "Splat expressions ([*]) may not be used here.", parser.range(next), context);
    } else {
      const detail = "Index brackets must contain either a literal number or a literal string.";
      parser.error("Index value required", detail, parser.range(next), context);
    }
    return;
  }
  const close = parser.read();
  const range = parser.tokens.between(open, close);
  if (parser.kind(close) !== Kind.CBrack) {
    parser.error("Unclosed index brackets", "Index key must be followed by a closing bracket.", parser.range(close), range);
  }
  steps.push(key === undefined ? { kind: "splat", range } : { kind: "index", key, range });
}
