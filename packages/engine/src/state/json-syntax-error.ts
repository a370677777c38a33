// SPDX-License-Identifier: Apache-2.0

const space = /[ \t\r\n]*/y;
const completeNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
/** The longest text that can begin a number. */
const numberStart = /-?(?:(?:0|[1-9]\d*)(?:\.(?:\d+(?:[eE](?:[-+]?\d*)?)?)?|[eE](?:[-+]?\d*)?)?)?/y;
const stringStart = /"(?:[ !#-[\]-\uffff]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y;
const escapeStart = /\\(?:u[\da-fA-F]{0,3})?/y;
const literals = ["true", "false", "null"];

/**
 * The index of the first character that is not valid JSON; the length of the text if it ends too early, or is valid.
 *
 * V8 does not report the position of every syntax error.
 */
export function jsonErrorIndex(text: string): number {
  const closers: string[] = [];
  let expected: "value" | "value or ]" | "name" | "name or }" | ":" | "end of value" = "value";
  for (let index = endOf(space, text, 0); index < text.length; index = endOf(space, text, index)) {
    const character = text[index]!;
    if (expected === "end of value") {
      const closer = closers.at(-1);
      if (closer === undefined || (character !== "," && character !== closer)) return index;
      if (character === closer) closers.pop();
      else expected = closer === "]" ? "value" : "name";
      index++;
    } else if (expected === ":") {
      if (character !== ":") return index;
      expected = "value";
      index++;
    } else if ((expected === "value or ]" && character === "]") || (expected === "name or }" && character === "}")) {
      closers.pop();
      expected = "end of value";
      index++;
    } else if (expected === "name" || expected === "name or }") {
      const { end, isComplete } = character === '"' ? scanString(text, index) : { end: index, isComplete: false };
      if (!isComplete) return end;
      expected = ":";
      index = end;
    } else if (character === "[" || character === "{") {
      closers.push(character === "[" ? "]" : "}");
      expected = character === "[" ? "value or ]" : "name or }";
      index++;
    } else {
      const { end, isComplete } = scanScalar(text, index);
      if (!isComplete) return end;
      expected = "end of value";
      index = end;
    }
  }
  return text.length;
}

interface ScannedToken {
  /** The index after the valid part of the token. */
  readonly end: number;
  readonly isComplete: boolean;
}

function scanScalar(text: string, start: number): ScannedToken {
  if (text[start] === '"') return scanString(text, start);
  const literal = literals.find((word) => word[0] === text[start]);
  if (literal === undefined) {
    const end = endOf(numberStart, text, start);
    return { end, isComplete: completeNumber.test(text.slice(start, end)) };
  }
  let length = 1;
  while (length < literal.length && text[start + length] === literal[length]) length++;
  return { end: start + length, isComplete: length === literal.length };
}

function scanString(text: string, start: number): ScannedToken {
  const end = endOf(stringStart, text, start);
  if (text[end] === '"') return { end: end + 1, isComplete: true };
  return { end: text[end] === "\\" ? endOf(escapeStart, text, end) : end, isComplete: false };
}

/** The end of a sticky pattern's match at an index. */
function endOf(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : index;
}
