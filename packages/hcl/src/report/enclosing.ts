// SPDX-License-Identifier: Apache-2.0
import { goQuote as quote } from "@tenon/cty/unstable/payload";
import { parseJsonNode } from "../json/parser.ts";
import { parseConfig } from "../parse/parse.ts";
import type { JsonMember, JsonNode } from "../syntax/json.ts";
import { initialPosition } from "../syntax/position.ts";
import { rangeContains } from "../syntax/range.ts";

/**
 * Describes the context of an offset in a file: the outermost block, such as `resource "web" "a"`, or in JSON the path to the innermost
 * object or array. Undefined outside of any.
 *
 * @param filename A name that ends with `.json` selects the JSON syntax.
 * @see go hcl.File.Nav, ContextString
 */
export function enclosingAt(source: Uint8Array, filename: string, offset: number): string | undefined {
  if (filename.endsWith(".json")) {
    const path = jsonPath(parseJsonNode(source, filename, initialPosition).node, offset)
      .join("")
      .replace(/^\./, "");
    return path === "" ? undefined : path;
  }
  const block = parseConfig(source, filename).body.blocks.find(({ range }) => rangeContains(range, offset));
  return block && [block.type, ...block.labels.map(quote)].join(" ");
}

function jsonPath(root: JsonNode, offset: number): readonly string[] {
  const steps: string[] = [];
  let node: JsonNode | undefined = root;
  const isWithin = (candidate: JsonNode): boolean =>
    (candidate.kind === "jsonObject" || candidate.kind === "jsonArray") && rangeContains(candidate.range, offset);
  while (node !== undefined) {
    let inner: JsonNode | undefined;
    if (node.kind === "jsonObject") {
      const member: JsonMember | undefined = node.members.find(({ value }) => isWithin(value));
      if (member) steps.push(`.${member.name}`);
      inner = member?.value;
    } else if (node.kind === "jsonArray") {
      const index: number = node.elements.findIndex(isWithin);
      if (index >= 0) steps.push(`[${index}]`);
      inner = node.elements[index];
    }
    node = inner;
  }
  return steps;
}
