// SPDX-License-Identifier: Apache-2.0
import { formatPath } from "@tenon/cty";
import type { MessageDecoder } from "./message-decoder.ts";
import { nameOf, tagOf, type Node } from "./node.ts";

/** A masked part of a message. */
export interface MaskedPart {
  /** Name of the field with the value or bytes, such as `plannedState`. */
  readonly field: string;
  /** Path in the value as text; empty for the whole value, and for bytes. */
  readonly path: string;
  /** Number of the secret. Equal secrets have equal numbers. */
  readonly secret: number;
}

/** Finds the masked parts of an encoded message. */
export function* maskedParts(node: Node, decoder: MessageDecoder, field = ""): Generator<MaskedPart, void> {
  if (typeof node !== "object" || node === null || node instanceof Uint8Array) return;
  if (Array.isArray(node)) {
    for (const element of node as readonly Node[]) yield* maskedParts(element, decoder, field);
    return;
  }
  const [tag, content] = tagOf(node) ?? [];
  switch (tag) {
    case "$value":
      for (const { path, token } of decoder.value(content!).secrets) yield { field, path: formatPath(path), secret: token };
      return;
    case "$secretBytes":
      yield { field, path: "", secret: (content as readonly [number])[0] };
      return;
    case "$map":
      for (const [, part] of content as readonly (readonly [string, Node])[]) yield* maskedParts(part, decoder, field);
      return;
    case undefined:
      for (const [key, part] of node as ReadonlyMap<string, Node>) yield* maskedParts(part, decoder, nameOf(key));
      return;
    default:
  }
}
