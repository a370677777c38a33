// SPDX-License-Identifier: Apache-2.0
import { HclError } from "../error.ts";
import { isValidIdentifier } from "../scan/identifier.ts";
import type { ForExpression, NativeExpression } from "../syntax/expression.ts";
import type { WithoutRanges } from "../syntax/without-ranges.ts";

/** An expression whose ranges are optional. */
export type Printed = WithoutRanges<NativeExpression>;

/** Binding strengths of the text of expressions; 1 to 6 are the precedences of the binary operators. */
export const binding = { any: 0, unary: 7, term: 8 } as const;

/** Layout of the text around a printed part. */
export interface Layout {
  /** Indentation of the line that the text starts on; undefined if newlines are not allowed. */
  readonly indent: string | undefined;
  /** Whether the line ends after the text, so that the text may be a heredoc. */
  readonly endsLine: boolean;
}

/** Layout in a single line. */
export const oneLine: Layout = { indent: undefined, endsLine: false };

/** A subexpression that is not printed yet. */
export interface Nested {
  readonly node: Printed;
  readonly layout: Layout;
  /** Required binding strength; weaker text is put in parentheses. */
  readonly needed: number;
}

/** Text with subexpressions that are not printed yet, to avoid recursion: operators can nest deeper than the stack allows. */
export type Pieces = readonly (string | Nested)[];

/** Entry points of the printer for its parts, which are mutually recursive. */
export interface Printer {
  /** Prints an expression, in parentheses if it binds less strongly than needed. */
  readonly expression: (node: Printed, layout: Layout, needed?: number) => string;
}

/** Error about a node without source text. */
export function unprintable(what: string): HclError {
  return new HclError("UNPRINTABLE", `${what} cannot be written in HCL`);
}

/** A name, checked. @throws HclError `UNPRINTABLE` for an invalid name. */
export function name(text: string, what: string): string {
  if (!isValidIdentifier(text)) throw unprintable(`${JSON.stringify(text)} as the name of ${what}`);
  return text;
}

/** The variables of a `for` expression or directive. */
export function loopNames({ keyName, valueName }: Pick<WithoutRanges<ForExpression>, "keyName" | "valueName">): string {
  const value = name(valueName, "a loop's variable");
  return keyName === undefined ? value : `${name(keyName, "a loop's variable")}, ${value}`;
}
