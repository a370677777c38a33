// SPDX-License-Identifier: Apache-2.0
import { variables } from "../analysis/variables.ts";
import type { Body, BodyContent } from "../body/body.ts";
import { hasErrors } from "../syntax/diagnostic.ts";
import { traversalRange, type Traversal } from "../syntax/traversal.ts";
import { impliedSchema } from "./implied-schema.ts";
import { sameBodySpecs, type Spec } from "./spec.ts";

/**
 * The references in the parts of a body that a spec decodes: what a scope must have for that.
 *
 * @see hcldec.Variables
 */
export function specVariables(body: Body, spec: Spec): readonly Traversal[] {
  const { content } = body.partialContent(impliedSchema(spec));
  const found: Traversal[] = [];
  const visit = (one: Spec): void => {
    found.push(...needed(content, one));
    for (const part of sameBodySpecs(one)) visit(part);
  };
  visit(spec);
  return found;
}

function needed(content: BodyContent, spec: Spec): readonly Traversal[] {
  switch (spec.kind) {
    case "attribute": {
      const attribute = content.attributes.get(spec.name);
      return attribute === undefined ? [] : variables(attribute.expression);
    }
    case "expression":
      return variables(spec.expression);
    case "blockAttributes": {
      const block = content.blocks.find(({ type }) => type === spec.type);
      const { attributes, diagnostics } = block?.body.justAttributes() ?? { attributes: new Map<string, never>(), diagnostics: [] };
      if (hasErrors(diagnostics)) return [];
      const found = [...attributes.values()].flatMap(({ expression }) => variables(expression));
      return found.sort((a, b) => traversalRange(a)!.start.byte - traversalRange(b)!.start.byte);
    }
    case "block":
    case "blockList":
    case "blockSet":
    case "blockTuple":
    case "blockMap":
    case "blockObject": {
      const blocks = content.blocks.filter(({ type }) => type === spec.type);
      const counted = spec.kind === "block" ? blocks.slice(0, 1) : blocks;
      return counted.flatMap(({ body }) => specVariables(body, spec.nested));
    }
    default:
      return [];
  }
}
