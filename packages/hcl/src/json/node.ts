// SPDX-License-Identifier: Apache-2.0
import type { JsonExpression, JsonNode } from "../syntax/json.ts";
import type { SourceRange } from "../syntax/position.ts";

/** Range of the opening bracket of an object or array; whole range of another value. */
export function startOfNode(node: JsonNode): SourceRange {
  return node.kind === "jsonObject" || node.kind === "jsonArray" ? node.openRange : node.range;
}

/** A node as an expression. */
export function jsonExpression(node: JsonNode): JsonExpression {
  return { kind: "json", node, range: node.range };
}
