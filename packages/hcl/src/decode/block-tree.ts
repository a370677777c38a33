// SPDX-License-Identifier: Apache-2.0
import { hasDynamic, mapOf, objectOf, unknown, type Type, type Value } from "@tenon/cty";
import { goQuote as quote, normalizeString } from "@tenon/cty/unstable/payload";
import type { Block, BodyContent } from "../body/body.ts";
import { HclError } from "../error.ts";
import { errorAt, type Diagnostic } from "../syntax/diagnostic.ts";
import { blocksOf, withBodyMarks } from "./block.ts";
import type { Decoder } from "./decoder.ts";
import { concreteType, impliedType } from "./implied-type.ts";
import { labelsOf } from "./source-range.ts";
import type { BlockTreeSpec } from "./spec.ts";

type Tree = Map<string, Tree | Value>;

/** Decodes all blocks of a type as nested maps or objects, by their labels. */
export function blockTreeValue(decoder: Decoder, content: BodyContent, spec: BlockTreeSpec): Value {
  const { kind, type, labels: names, nested } = spec;
  if (names.length === 0) throw new HclError("INVALID_SPEC", `a ${kind} spec for ${type} blocks must have at least one label name`);
  const element = impliedType(nested);
  if (kind === "blockMap" && hasDynamic(element)) {
    throw new HclError("INVALID_SPEC", `a map of ${type} blocks cannot have attributes of dynamic type: use a blockObject spec`);
  }
  const tree: Tree = new Map();
  for (const block of blocksOf(content, type)) {
    if (block.body.unknown) return unknown(concreteType(spec));
    const value = withBodyMarks(block, decoder.ofBody(block.body, labelsOf(block).slice(names.length), nested));
    if (!addToTree(tree, block.labels.slice(0, names.length), value)) decoder.diagnostics.push(duplicate(block));
  }
  return kind === "blockMap" ? mapOfTree(tree, names.length, element) : objectOfTree(tree);
}

function addToTree(tree: Tree, labels: readonly string[], value: Value): boolean {
  let at = tree;
  for (const label of labels.slice(0, -1)) {
    const key = normalizeString(label);
    let inner = at.get(key) as Tree | undefined;
    if (inner === undefined) at.set(key, (inner = new Map()));
    at = inner;
  }
  const last = normalizeString(labels.at(-1)!);
  if (at.has(last)) return false;
  at.set(last, value);
  return true;
}

function duplicate({ type, labels, declarationRange }: Block): Diagnostic {
  const name = [type, ...labels.map(quote)].join(" ");
  const detail = `A block for ${name} was already defined. The ${type} labels must be unique.`;
  return errorAt(`Duplicate ${type} block`, detail, declarationRange);
}

function mapOfTree(tree: Tree, depth: number, element: Type): Value {
  if (tree.size === 0) return mapOf(new Map(), element);
  if (depth === 1) return mapOf(tree as Map<string, Value>);
  return mapOf(new Map([...tree].map(([key, inner]) => [key, mapOfTree(inner as Tree, depth - 1, element)])));
}

function objectOfTree(tree: Tree): Value {
  return objectOf(new Map([...tree].map(([key, inner]) => [key, inner instanceof Map ? objectOfTree(inner) : inner])));
}
