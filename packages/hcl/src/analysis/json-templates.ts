// SPDX-License-Identifier: Apache-2.0
import { jsonTemplate } from "../parse/json-template.ts";
import { hasErrors } from "../syntax/diagnostic.ts";
import type { Expression } from "../syntax/expression.ts";
import type { JsonNode } from "../syntax/json.ts";
import type { SourceRange } from "../syntax/position.ts";

/** Templates of the strings and member names in a JSON value, in source order, without those that have errors. */
export function jsonTemplates(node: JsonNode): readonly Expression[] {
  switch (node.kind) {
    case "jsonString":
      return templateOf(node.value, node.range);
    case "jsonArray":
      return node.elements.flatMap(jsonTemplates);
    case "jsonObject":
      return node.members.flatMap(({ name, nameRange, value }) => [...templateOf(name, nameRange), ...jsonTemplates(value)]);
    default:
      return [];
  }
}

function templateOf(text: string, range: SourceRange): readonly Expression[] {
  const { expression, diagnostics } = jsonTemplate(text, range);
  return hasErrors(diagnostics) ? [] : [expression];
}
