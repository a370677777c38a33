// SPDX-License-Identifier: Apache-2.0
import { Scanner } from "./scanner.ts";

const numberGrammar: RegExp = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;

/** What can come next in JSON text. */
export type Token = "{" | "[" | '"' | "number" | "true" | "false" | "null" | "end" | "other";

const tokens: Readonly<Record<string, Token>> = { "{": "{", "[": "[", '"': '"', t: "true", f: "false", n: "null", "": "end" };

/** Reads JSON values too, numbers as the text they are written in: `JSON.parse` loses their digits. */
export class ValueScanner extends Scanner {
  /** What comes next, still unread. */
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
    // A fraction or exponent was begun and has no digits.
    const next = this.text[this.position];
    const mayHaveExponent = match[2] === undefined;
    if (mayHaveExponent && (next === "e" || next === "E" || (next === "." && match[1] === undefined))) {
      this.position++;
      throw this.unexpected("a digit");
    }
    return match[0];
  }

  /** Reads a value and forgets it. */
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
