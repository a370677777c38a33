// SPDX-License-Identifier: Apache-2.0

/** Parsed JSON. A number whose text a double does not reproduce is a {@link RawNumber}. Trees are never changed. */
export type JsonTree = string | number | boolean | null | RawNumber | readonly JsonTree[] | JsonObject;

/** An object of a JSON tree. */
export interface JsonObject {
  readonly [name: string]: JsonTree;
}

/** A number as its text. `JSON.stringify` writes the text unchanged. */
export interface RawNumber {
  readonly rawJSON: string;
}

interface RawJson {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
  parse(text: string, reviver: (key: string, value: JsonTree, context: { readonly source?: string }) => JsonTree): JsonTree;
}

// TypeScript's library does not declare these functions yet. Node.js has them since version 21.
const json = JSON as unknown as RawJson;

/** Whether a node of a tree is a {@link RawNumber}. */
export function isRawNumber(value: JsonTree): value is RawNumber {
  return json.isRawJSON(value);
}

/** Matches numbers that may lose digits as a double: those with 16 or more digits, and those with an exponent. */
const inexactNumber = /[\d.]{16}|\d[eE]/;

/**
 * Reads JSON. Numbers keep every digit.
 *
 * @throws SyntaxError
 */
export function parseJsonTree(text: string): JsonTree {
  // A reviver makes parsing several times slower, so only texts that need it are parsed with one.
  if (!inexactNumber.test(text)) return JSON.parse(text) as JsonTree;
  return json.parse(text, (_, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source ? json.rawJSON(source) : value,
  );
}

/**
 * Writes JSON as Go's `encoding/json` does: with `<`, `>`, `&`, U+2028 and U+2029 escaped. The names of an object keep their order. JavaScript
 * loses the order of objects with names that look like array indices: their names are sorted by bytes.
 *
 * @param indent Spaces for each level of nesting. Default 0, which also omits line breaks.
 */
export function formatJsonTree(tree: JsonTree, indent = 0): string {
  const marked = JSON.stringify(hasArrayIndexName(tree) ? withKeptOrder(tree) : tree, undefined, indent);
  const text = marked.includes(marker) ? marked.replaceAll(marker, "") : marked;
  return /[<>&\u2028\u2029]/.test(text) ? text.replace(/[<>&\u2028\u2029]/g, escapeCharacter) : text;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Prefix for names that look like array indices, because JavaScript always lists such names first. The prefix is removed from the
 * written JSON. JSON cannot contain the prefix otherwise, because it escapes control characters.
 */
const prefix = "\u0001\u0001tenon-name:";
/** The prefix as it stands in the written JSON. */
const marker = JSON.stringify(prefix).slice(1, -1);

/** Whether an object of the tree has a name that JavaScript reorders. Such names come first in an object. */
function hasArrayIndexName(tree: JsonTree): boolean {
  if (typeof tree !== "object" || tree === null) return false;
  if (Array.isArray(tree)) return tree.some(hasArrayIndexName);
  let isFirst = true;
  for (const name in tree as JsonObject) {
    if ((isFirst && isArrayIndex(name)) || hasArrayIndexName((tree as JsonObject)[name]!)) return true;
    isFirst = false;
  }
  return false;
}

/** The tree with {@link prefix} in the names that JavaScript would reorder. */
function withKeptOrder(tree: JsonTree): JsonTree {
  if (typeof tree !== "object" || tree === null || isRawNumber(tree)) return tree;
  return Array.isArray(tree) ? arrayWithKeptOrder(tree as readonly JsonTree[]) : objectWithKeptOrder(tree as JsonObject);
}

function arrayWithKeptOrder(tree: readonly JsonTree[]): readonly JsonTree[] {
  const elements = tree.map(withKeptOrder);
  return elements.every((element, index) => element === tree[index]) ? tree : elements;
}

function objectWithKeptOrder(tree: JsonObject): JsonObject {
  const entries = Object.entries(tree);
  const changed = entries.map(([name, value]) => [name, withKeptOrder(value)] as const);
  const [first] = entries;
  if (first === undefined) return tree;
  if (!isArrayIndex(first[0]))
    return changed.every(([, value], index) => value === entries[index]![1]) ? tree : Object.fromEntries(changed);
  const sorted = changed.sort(([a], [b]) => compareUtf8(a, b));
  return Object.fromEntries(sorted.map(([name, value]) => [isArrayIndex(name) ? prefix + name : name, value]));
}

function isArrayIndex(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 0x30 && first <= 0x39 && /^(?:0|[1-9]\d{0,9})$/.test(name);
}

/** Compares strings as Go does: by their bytes in UTF-8. */
function compareUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
