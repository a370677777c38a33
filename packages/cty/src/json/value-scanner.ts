// SPDX-License-Identifier: Apache-2.0
import { within } from "../codec/failure.ts";
import type { PathStep } from "../model/path.ts";
import { Scanner } from "./scanner.ts";

const numberGrammar: RegExp = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;

/** Kind of the next token in JSON text. */
export type Token = "{" | "[" | '"' | "number" | "true" | "false" | "null" | "end" | "other";

const tokens: Readonly<Record<string, Token>> = { "{": "{", "[": "[", '"': '"', t: "true", f: "false", n: "null", "": "end" };

/** A scanner that also reads values. It returns numbers as text, because `JSON.parse` would round them. */
export class ValueScanner extends Scanner {
  /** Returns the kind of the next token without reading it. */
  token(): Token {
    const next = this.peek();
    return tokens[next] ?? (next === "-" || (next >= "0" && next <= "9") ? "number" : "other");
  }

  number(): string {
    this.peek();
    numberGrammar.lastIndex = this.position;
    const match = numberGrammar.exec(this.text);
    if (match === null) throw this.unexpected("a number");
    this.position = numberGrammar.lastIndex;
    // The number has a fraction or an exponent without digits.
    const next = this.text[this.position];
    const mayHaveExponent = match[2] === undefined;
    if (mayHaveExponent && (next === "e" || next === "E" || (next === "." && match[1] === undefined))) {
      this.position++;
      throw this.unexpected("a digit");
    }
    return match[0];
  }

  /** Reads an object as {@link object} does. A missing value is an error at the step of its key. */
  members(member: (key: string) => void, stepOf: (key: string) => PathStep): void {
    this.sequence("{", "}", () => {
      const key = this.string();
      if (this.peek() !== ":") throw within(this.unexpected(":"), stepOf(key));
      this.position++;
      member(key);
    });
  }

  /** Reads a value and discards it. */
  skip(): void {
    const token = this.token();
    switch (token) {
      case "{":
        this.object(() => this.skip());
        return;
      case "[":
        this.array(() => this.skip());
        return;
      case '"':
        this.string();
        return;
      case "number":
        this.number();
        return;
      case "true":
      case "false":
      case "null":
        this.literal(token);
        return;
      default:
        throw this.unexpected("a value");
    }
  }
}
