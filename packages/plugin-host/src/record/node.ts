// SPDX-License-Identifier: Apache-2.0

/**
 * A recorded message as MessagePack data, with strings as keys. An object of a kind that MessagePack lacks is a map with one key that
 * begins with `$`; in the keys of records a leading `$` is doubled.
 */
export type Node = null | boolean | number | string | Uint8Array | readonly Node[] | ReadonlyMap<string, Node>;

/** Kinds of objects that MessagePack lacks. */
export type Tag = "$value" | "$type" | "$map" | "$date" | "$stream" | "$secretBytes" | "$secretRecord";

/** Creates an object of such a kind. */
export function tagged(tag: Tag, content: Node): Node {
  return new Map([[tag, content]]);
}

/** The tag and content of such an object; undefined for any other node. */
export function tagOf(node: Node): readonly [tag: string, content: Node] | undefined {
  if (!isMap(node) || node.size !== 1) return undefined;
  const [entry] = node;
  return entry !== undefined && /^\$(?!\$)/.test(entry[0]) ? entry : undefined;
}

/** Whether the node is a map. */
export function isMap(node: Node): node is ReadonlyMap<string, Node> {
  return node instanceof Map;
}

/** Whether the node is a byte string. */
export function isBytes(node: unknown): node is Uint8Array {
  return node instanceof Uint8Array;
}

/** The key for a name of a record. */
export function keyOf(name: string): string {
  return name.startsWith("$") ? `$${name}` : name;
}

/** The name for a key of a record. */
export function nameOf(key: string): string {
  return key.startsWith("$$") ? key.slice(1) : key;
}
