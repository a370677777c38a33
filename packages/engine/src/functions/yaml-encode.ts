// SPDX-License-Identifier: Apache-2.0
import { CtyError, dynamic, friendlyName, isKnown, isNull, isWhollyKnown, of, string, unknown, type Value } from "@tenon/cty";
import { defineFunction, type CtyFunction } from "@tenon/cty/function";
import { elements } from "@tenon/cty/operators";
import { numberOf, stringOf } from "@tenon/cty/unstable/native";
import { numberText } from "@tenon/cty/unstable/payload";

/**
 * The function `yamlencode`: encodes a value as a YAML document in block style, with the same bytes as OpenTofu. Strings are double-quoted;
 * strings with line breaks become literal blocks.
 *
 * @see go-cty-yaml YAMLEncodeFunc, libyaml's emitter
 */
export const yamlEncodeFunction: CtyFunction = defineFunction({
  description: "Encodes a value as YAML.",
  params: [{ name: "value", type: dynamic, allowNull: true, allowDynamicType: true }],
  type: string,
  impl: ([value], type) => (isWhollyKnown(value) ? of(string, encodeYaml(value)) : unknown(type)),
});

/** Encodes a wholly known value without marks as a YAML document. */
export function encodeYaml(value: Value): string {
  const output = new YamlOutput();
  output.node(value, { indent: -1, inMapping: false, isSimpleKey: false });
  // A document with only a plain scalar has an explicit end marker.
  const isPlain = isNull(value) || value.type.kind === "number" || value.type.kind === "bool";
  return isPlain ? `${output.finish()}...\n` : output.finish();
}

/** The column after which a space in a double-quoted string can become a line break. */
const preferredWidth = 80;
const indentWidth = 2;
/** Maximum length in bytes of a key without the indicator `?`. */
const maxSimpleKeyBytes = 128;

/** The position of a node in the document. */
interface NodePosition {
  /** Indentation of the outer collection; -1 at the root. */
  readonly indent: number;
  /** Whether the node is a key or a value of a mapping. */
  readonly inMapping: boolean;
  readonly isSimpleKey: boolean;
}

class YamlOutput {
  #text = "";
  #column = 0;
  /** Whether the current line has only indentation and indicators so far. */
  #isIndentation = true;
  /** Whether the output ends with white space, or with an indicator that needs no space after it. */
  #isSpace = true;

  /** Returns the whole text, which ends with a line break. */
  finish(): string {
    if (this.#column > 0) this.#lineBreak();
    return this.#text;
  }

  node(value: Value, position: NodePosition): void {
    const { type } = value;
    if (isNull(value)) return this.#plain("null");
    if (!isKnown(value)) throw new CtyError("INVALID_VALUE", "cannot serialize unknown value as YAML");
    switch (type.kind) {
      case "string":
        return this.#string(stringOf(value), position);
      case "number":
        return this.#plain(numberText(numberOf(value)));
      case "bool":
        return this.#plain(value.payload === true ? "true" : "false");
      case "list":
      case "set":
      case "tuple":
        return this.#sequence(value, position);
      case "map":
      case "object":
        return this.#mapping(value, position);
      default:
        throw new CtyError("INVALID_VALUE", `can't marshal ${friendlyName(type)} as YAML`);
    }
  }

  #sequence(value: Value, position: NodePosition): void {
    const items = elements(value);
    if (items.length === 0) return this.#indicator("[]", true);
    const isIndentless = position.inMapping && !this.#isIndentation;
    const indent = position.indent < 0 ? 0 : isIndentless ? position.indent : position.indent + indentWidth;
    for (const [, item] of items) {
      this.#startLine(indent);
      this.#indicator("-", true, true);
      this.node(item, { indent, inMapping: false, isSimpleKey: false });
    }
  }

  #mapping(value: Value, position: NodePosition): void {
    const entries = elements(value);
    if (entries.length === 0) return this.#indicator("{}", true);
    const indent = position.indent < 0 ? 0 : position.indent + indentWidth;
    for (const [key, item] of entries) {
      const text = stringOf(key);
      const isSimpleKey = Buffer.byteLength(text) <= maxSimpleKeyBytes && !hasLineBreak(text);
      this.#startLine(indent);
      if (!isSimpleKey) this.#indicator("?", true, true);
      this.#string(text, { indent, inMapping: true, isSimpleKey });
      if (!isSimpleKey) this.#startLine(indent);
      this.#indicator(":", !isSimpleKey, !isSimpleKey);
      this.node(item, { indent, inMapping: true, isSimpleKey: false });
    }
  }

  #string(text: string, position: NodePosition): void {
    if (text.includes("\n") && isLiteralAllowed(text) && !position.isSimpleKey) this.#literal(text, position);
    else this.#doubleQuoted(text, position);
  }

  #plain(text: string): void {
    if (!this.#isSpace) this.#write(" ");
    this.#write(text);
    this.#isSpace = false;
    this.#isIndentation = false;
  }

  #literal(text: string, position: NodePosition): void {
    this.#indicator("|", true);
    if (/^[ \n\r\u0085\u2028\u2029]/.test(text)) this.#indicator(String(indentWidth), false);
    const trailing = /[\n\r\u0085\u2028\u2029]+$/.exec(text)?.[0].length ?? 0;
    if (trailing === 0) this.#indicator("-", false);
    // A text of one line break, and several line breaks at the end, need the indicator `+`.
    else if (trailing > 1 || text.length === 1) {
      this.#indicator("+", false);
    }
    this.#lineBreak();
    this.#isIndentation = true;
    this.#isSpace = true;
    let atLineStart = true;
    for (const character of text) {
      if (hasLineBreak(character)) {
        if (character === "\n") this.#lineBreak();
        else this.#write(character, true);
        this.#isIndentation = true;
        atLineStart = true;
        continue;
      }
      if (atLineStart) this.#startLine(continuationIndent(position));
      this.#write(character);
      this.#isIndentation = false;
      atLineStart = false;
    }
  }

  #doubleQuoted(text: string, position: NodePosition): void {
    this.#indicator('"', true);
    const characters = Array.from(text);
    let afterSpace = false;
    for (let index = 0; index < characters.length; index++) {
      const character = characters[index]!;
      if (character !== " ") {
        this.#write(escapeCharacter(character));
        afterSpace = false;
        continue;
      }
      const mayBreak = !position.isSimpleKey && !afterSpace && this.#column > preferredWidth && index > 0 && index < characters.length - 1;
      if (mayBreak) {
        this.#startLine(continuationIndent(position));
        if (characters[index + 1] === " ") this.#write("\\");
      } else this.#write(" ");
      afterSpace = true;
    }
    this.#indicator('"', false);
    this.#isSpace = false;
    this.#isIndentation = false;
  }

  /** Writes an indicator such as `-`, after a space if necessary. */
  #indicator(text: string, needsSpace: boolean, isIndentation = false): void {
    if (needsSpace && !this.#isSpace) this.#write(" ");
    this.#write(text);
    this.#isSpace = isIndentation ? false : /^["|]$/.test(text) && needsSpace;
    this.#isIndentation &&= isIndentation;
  }

  /** Writes the indentation, on a new line unless the current line has only indentation. */
  #startLine(indent: number): void {
    if (!this.#isIndentation || this.#column > indent || (this.#column === indent && !this.#isSpace)) this.#lineBreak();
    if (this.#column < indent) this.#write(" ".repeat(indent - this.#column));
    this.#isSpace = true;
    this.#isIndentation = true;
  }

  #lineBreak(): void {
    this.#text += "\n";
    this.#column = 0;
  }

  #write(text: string, endsLine = false): void {
    this.#text += text;
    this.#column = endsLine ? 0 : this.#column + Array.from(text).length;
  }
}

/** Indentation of the second and further lines of a string. */
function continuationIndent({ indent }: NodePosition): number {
  return Math.max(indent, 0) + indentWidth;
}

function hasLineBreak(text: string): boolean {
  return /[\n\r\u0085\u2028\u2029]/.test(text);
}

/** Whether a literal block can contain all characters of the text. */
function isLiteralAllowed(text: string): boolean {
  if (text.endsWith(" ") || / [\n\r\u0085\u2028\u2029]/.test(text)) return false;
  return Array.from(text).every(isPrintable);
}

/** Whether libyaml regards a character as printable: YAML's c-printable without tabs and without characters beyond U+FFFF. */
function isPrintable(character: string): boolean {
  const code = character.codePointAt(0)!;
  if (code === 0x0a || (code >= 0x20 && code <= 0x7e)) return true;
  if (code < 0xa0 || code === 0xfeff) return false;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd);
}

const shortEscapes: ReadonlyMap<number, string> = new Map([
  [0x00, "0"],
  [0x07, "a"],
  [0x08, "b"],
  [0x09, "t"],
  [0x0a, "n"],
  [0x0b, "v"],
  [0x0c, "f"],
  [0x0d, "r"],
  [0x1b, "e"],
  [0x22, '"'],
  [0x5c, "\\"],
  [0x85, "N"],
  [0xa0, "_"],
  [0x2028, "L"],
  [0x2029, "P"],
]);

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0)!;
  if (isPrintable(character) && !hasLineBreak(character) && character !== '"' && character !== "\\") return character;
  const short = shortEscapes.get(code);
  if (short !== undefined) return `\\${short}`;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}
