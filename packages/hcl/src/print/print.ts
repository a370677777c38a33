// SPDX-License-Identifier: Apache-2.0
import type { AttributeSyntax, BlockSyntax, BodySyntax } from "../syntax/body.ts";
import type { NativeExpression } from "../syntax/expression.ts";
import type { WithoutRanges } from "../syntax/without-ranges.ts";
import { scopeTraversalText, traversalText, type PrintedTraversal } from "./access.ts";
import { printer } from "./expression.ts";
import { name, oneLine, type Layout, type Printed } from "./printer.ts";
import { quoted } from "./quote.ts";
import { bareTemplate } from "./template.ts";

type Body = WithoutRanges<BodySyntax>;
type Attribute = WithoutRanges<AttributeSyntax>;
type Block = WithoutRanges<BlockSyntax>;

/** A node of the native syntax, parsed or built by a program; ranges are optional. */
export type PrintableNode = WithoutRanges<BodySyntax | BlockSyntax | AttributeSyntax | NativeExpression>;

/**
 * Prints a node as source text. Parsing the text gives the same node, except for ranges. Parentheses are added where an operator would
 * bind differently. Nodes have no comments: to change a source and keep its comments, use `parseEditable` of `@tenon/hcl/write`; `format`
 * of the same entry point aligns printed text.
 *
 * An expression has no newline at its end; attributes, blocks and bodies are whole lines. The items of a body are in the order of their
 * ranges; without ranges, attributes come first.
 *
 * A literal can have any known value without marks. Lists and sets are printed as tuples, maps as objects.
 *
 * @throws HclError `UNPRINTABLE` for invalid names, for values that are unknown, marked or of a capsule type, for numbers beyond
 * 10^±10000, and for placeholders of syntax errors.
 *
 * @example
 * print({
 *   kind: "binary", operator: "*", right: { kind: "literal", value: of(number, 2) },
 *   left: { kind: "binary", operator: "+", left: parseExpression("a.b", "").expression, right: { kind: "literal", value: of(number, 1) } },
 * }) // => "(a.b + 1) * 2"
 */
export function print(node: PrintableNode): string {
  switch (node.kind) {
    case "body":
      return bodyText(node, "");
    case "block":
      return blockText(node, "");
    case "attribute":
      return attributeText(node, "");
    default:
      return printer.expression(node, { indent: "", endsLine: false });
  }
}

/**
 * Prints a template without quotes, as `parseTemplate` reads it.
 *
 * @throws HclError `UNPRINTABLE` as {@link print}.
 * @example
 * printTemplate(parseExpression('"a \\"${b}\\""', "").expression) // => 'a "${b}"'
 */
export function printTemplate(node: Printed): string {
  if (node.kind === "templateWrap") return `\${${printer.expression(node.wrapped, oneLine)}}`;
  return bareTemplate(printer, node.kind === "template" ? node.parts : [node]);
}

/**
 * Prints a reference: `var.list[0].name`. A relative one starts with its first step.
 *
 * @throws HclError `UNPRINTABLE` for invalid names, and for keys that are unknown or marked.
 * @example
 * printTraversal(parseTraversal("a [ 0 ] . b", "").traversal) // => "a[0].b"
 */
export function printTraversal(traversal: PrintedTraversal): string {
  return traversal[0]?.kind === "root" ? scopeTraversalText(traversal) : traversalText(traversal);
}

const step = "  ";

function bodyText(body: Body, indent: string): string {
  let text = "";
  let before: Attribute | Block | undefined;
  for (const item of itemsInOrder(body)) {
    if (before !== undefined && (before.kind === "block" || item.kind === "block")) text += "\n";
    text += item.kind === "block" ? blockText(item, indent) : attributeText(item, indent);
    before = item;
  }
  return text;
}

/** Merges attributes and blocks by their ranges; each list keeps its order. */
function itemsInOrder({ attributes, blocks }: Body): readonly (Attribute | Block)[] {
  const items: (Attribute | Block)[] = [];
  let next = 0;
  for (const attribute of attributes.values()) {
    const start = attribute.range?.start.byte ?? -1;
    for (; next < blocks.length && (blocks[next]!.range?.start.byte ?? Infinity) < start; next++) items.push(blocks[next]!);
    items.push(attribute);
  }
  return [...items, ...blocks.slice(next)];
}

function attributeText({ name: written, expression }: Attribute, indent: string): string {
  const layout: Layout = { indent, endsLine: true };
  return `${indent}${name(written, "an attribute")} = ${printer.expression(expression, layout)}\n`;
}

function blockText({ type, labels, body }: Block, indent: string): string {
  const header = [name(type, "a block's type"), ...labels.map(quoted)].join(" ");
  return `${indent}${header} {\n${bodyText(body, indent + step)}${indent}}\n`;
}
