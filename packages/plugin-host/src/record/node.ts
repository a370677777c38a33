// SPDX-License-Identifier: Apache-2.0

/**
 * What a recording holds of a message: what MessagePack has, with strings as the only keys. Objects of other kinds are maps with one
 * key that begins with `$`; in the keys of records a `$` at the beginning is doubled.
 */
export type Node = null | boolean | number | string | Uint8Array | readonly Node[] | ReadonlyMap<string, Node>;

/** Kinds of objects that are not records. */
export type Tag = "$value" | "$type" | "$map" | "$date" | "$stream" | "$secretBytes" | "$secretRecord";

/** An object of another kind than a record. */
export function tagged(tag: Tag, content: Node): Node {
  return new Map([[tag, content]]);
}

/** The tag and content of such an object; nothing for everything else. */
export function tagOf(node: Node): readonly [tag: string, content: Node] | undefined {
  if (!isMap(node) || node.size !== 1) return undefined;
  const [entry] = node;
  return entry !== undefined && /^\$(?!\$)/.test(entry[0]) ? entry : undefined;
}

export function isMap(node: Node): node is ReadonlyMap<string, Node> {
  return node instanceof Map;
}

export function isBytes(node: unknown): node is Uint8Array {
  return node instanceof Uint8Array;
}

/** A record's name as a key. */
export function keyOf(name: string): string {
  return name.startsWith("$") ? `$${name}` : name;
}

/** The other direction. */
export function nameOf(key: string): string {
  return key.startsWith("$$") ? key.slice(1) : key;
}
