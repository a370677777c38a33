// SPDX-License-Identifier: Apache-2.0
import { goQuoteCharacter } from "./format/go-format.ts";

type State =
  | "top"
  | "arrayStart"
  | "arrayValue"
  | "arrayComma"
  | "objectStart"
  | "objectKey"
  | "objectColon"
  | "objectValue"
  | "objectComma";

/** Go's description of the context of an invalid character. At the start of an object it is empty. */
const contexts: Readonly<Record<State, string>> = {
  top: " looking for beginning of value",
  arrayStart: " looking for beginning of value",
  arrayValue: " looking for beginning of value",
  arrayComma: " after array element",
  objectStart: "",
  objectKey: " looking for beginning of object key string",
  objectColon: " after object key",
  objectValue: " looking for beginning of value",
  objectComma: " after object key:value pair",
};

const space: RegExp = /[ \t\r\n]*/y;
const plainString: RegExp = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const words: Readonly<Record<string, string>> = { t: "true", f: "false", n: "null" };

/**
 * The syntax error of a JSON text, with the text of Go's library; undefined if the text starts with a JSON value. As in Go, each byte
 * beyond ASCII is reported as a character.
 *
 * @see go encoding/json Decoder.Token
 */
export function syntaxProblem(text: string): string | undefined {
  const outer: State[] = [];
  let state: State = "top";
  let at = 0;
  for (;;) {
    space.lastIndex = at;
    space.test(text);
    at = space.lastIndex;
    const character = text[at];
    if (character === undefined) return "EOF";
    const isKey = state === "objectStart" || state === "objectKey";
    const isValue = state === "top" || state === "arrayStart" || state === "arrayValue" || state === "objectValue";
    if (isValue && (character === "[" || character === "{")) {
      outer.push(state);
      state = character === "[" ? "arrayStart" : "objectStart";
      at++;
      continue;
    }
    if (character === "," && (state === "arrayComma" || state === "objectComma")) {
      state = state === "arrayComma" ? "arrayValue" : "objectKey";
      at++;
      continue;
    }
    if (character === ":" && state === "objectColon") {
      state = "objectValue";
      at++;
      continue;
    }
    if (closes(character, state)) {
      state = outer.pop()!;
      at++;
    } else if (!(isKey ? character === '"' : isValue && !"]}:,".includes(character))) {
      return invalid(text, at, contexts[state]);
    } else {
      const end = literalEnd(text, at);
      if (typeof end === "string") return end;
      at = end;
      if (isKey) {
        state = "objectColon";
        continue;
      }
    }
    if (outer.length === 0) return undefined;
    state = state === "objectValue" ? "objectComma" : "arrayComma";
  }
}

function closes(character: string, state: State): boolean {
  if (character === "]") return state === "arrayStart" || state === "arrayComma";
  return character === "}" && (state === "objectStart" || state === "objectComma");
}

const encoder = new TextEncoder();

function invalid(text: string, at: number, context: string): string {
  const character = String.fromCodePoint(text.codePointAt(at)!);
  const byte = String.fromCharCode(encoder.encode(character)[0]!);
  return `invalid character ${goQuoteCharacter(byte)}${context}`;
}

/** The error text for an invalid character, or for a truncated text. */
function broken(text: string, at: number, context: string): string {
  return at < text.length ? invalid(text, at, ` ${context}`) : "unexpected EOF";
}

/** The end of a string, number, bool or null, or its error text. */
function literalEnd(text: string, at: number): number | string {
  const first = text[at]!;
  if (first === '"') return stringEnd(text, at);
  const word = words[first];
  if (word !== undefined) return wordEnd(text, at, word);
  if (first !== "-" && !isDigit(first)) return invalid(text, at, contexts.top);
  return numberEnd(text, first === "-" ? at + 1 : at);
}

function stringEnd(text: string, at: number): number | string {
  plainString.lastIndex = at;
  plainString.test(text);
  const end = plainString.lastIndex;
  if (text[end] === '"') return end + 1;
  if (text[end] !== "\\") return broken(text, end, "in string literal");
  if (text[end + 1] !== "u") return broken(text, end + 1, "in string escape code");
  let digit = end + 2;
  while (/[0-9a-fA-F]/.test(text[digit] ?? "")) digit++;
  return broken(text, digit, "in \\u hexadecimal character escape");
}

function wordEnd(text: string, at: number, word: string): number | string {
  for (let index = 1; index < word.length; index++) {
    if (text[at + index] !== word[index]) return broken(text, at + index, `in literal ${word} (expecting '${word[index]}')`);
  }
  return at + word.length;
}

function numberEnd(text: string, start: number): number | string {
  if (!isDigit(text[start])) return broken(text, start, "in numeric literal");
  let at = text[start] === "0" ? start + 1 : digitsEnd(text, start);
  if (text[at] === ".") {
    if (!isDigit(text[at + 1])) return broken(text, at + 1, "after decimal point in numeric literal");
    at = digitsEnd(text, at + 1);
  }
  if (text[at] !== "e" && text[at] !== "E") return at;
  at += text[at + 1] === "+" || text[at + 1] === "-" ? 2 : 1;
  return isDigit(text[at]) ? digitsEnd(text, at) : broken(text, at, "in exponent of numeric literal");
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}

function digitsEnd(text: string, at: number): number {
  let end = at;
  while (isDigit(text[end])) end++;
  return end;
}
