// SPDX-License-Identifier: Apache-2.0
import { HclError } from "../error.ts";
import { isValidIdentifier } from "../scan/identifier.ts";
import type { ForExpression, NativeExpression } from "../syntax/expression.ts";
import type { WithoutRanges } from "../syntax/without-ranges.ts";

/** An expression as it is given to be printed. */
export type Printed = WithoutRanges<NativeExpression>;

/** How strongly an expression's text holds together beside what is around it; what is between stands for the operators. */
export const binding = { any: 0, unary: 7, term: 8 } as const;

/** What the place allows where something is printed. */
export interface Layout {
  /** Of the line the text begins in; undefined where everything has to be in one line. */
  readonly indent: string | undefined;
  /** Does the line end with the text? Then it may be a heredoc. */
  readonly endsLine: boolean;
}

export const oneLine: Layout = { indent: undefined, endsLine: false };

/** A part of an expression's text that is not written yet. */
export interface Nested {
  readonly node: Printed;
  readonly layout: Layout;
  /** How strongly the text has to hold together; parentheses see to it. */
  readonly needed: number;
}

/** Text, some of which is not written yet: operators nest deeper than functions can call each other. */
export type Pieces = readonly (string | Nested)[];

/** What the parts of the printer call each other through, because they are mutually recursive. */
export interface Printer {
  /** The expression's text, in parentheses if it holds together less strongly than is needed. */
  readonly expression: (node: Printed, layout: Layout, needed?: number) => string;
}

export function unprintable(what: string): HclError {
  return new HclError("UNPRINTABLE", `${what} cannot be written in HCL`);
}

/** @throws HclError `UNPRINTABLE` for what could not be read as a name. */
export function name(text: string, what: string): string {
  if (!isValidIdentifier(text)) throw unprintable(`${JSON.stringify(text)} as the name of ${what}`);
  return text;
}

/** The variables of a loop, in an expression or a directive. */
export function loopNames({ keyName, valueName }: Pick<WithoutRanges<ForExpression>, "keyName" | "valueName">): string {
  const value = name(valueName, "a loop's variable");
  return keyName === undefined ? value : `${name(keyName, "a loop's variable")}, ${value}`;
}
