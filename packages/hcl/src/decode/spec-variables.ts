// SPDX-License-Identifier: Apache-2.0
import { calledFunctions } from "../analysis/called-functions.ts";
import type { CalledFunction } from "../syntax/called-function.ts";
import { variables } from "../analysis/variables.ts";
import type { Body, BodyContent } from "../body/body.ts";
import { hasErrors } from "../syntax/diagnostic.ts";
import type { Expression } from "../syntax/expression.ts";
import type { SourceRange } from "../syntax/position.ts";
import { traversalRange, type Traversal } from "../syntax/traversal.ts";
import { impliedSchema } from "./implied-schema.ts";
import { sameBodySpecs, type Spec } from "./spec.ts";

/**
 * References in the parts of a body that a spec decodes. A scope needs these variables for decoding.
 *
 * @see hcldec.Variables
 */
export function specVariables(body: Body, spec: Spec): readonly Traversal[] {
  return needed(body, spec, { of: variables, rangeOf: (traversal) => traversalRange(traversal)! });
}

/**
 * Function calls in the parts of a body that a spec decodes. A scope needs these functions for decoding.
 *
 * @see hcldec.Functions of OpenTofu's HCL
 */
export function specFunctions(body: Body, spec: Spec): readonly CalledFunction[] {
  return needed(body, spec, { of: calledFunctions, rangeOf: ({ range }) => range });
}

/** The kind of thing to find in expressions. */
interface Kind<Found> {
  readonly of: (expression: Expression) => readonly Found[];
  readonly rangeOf: (found: Found) => SourceRange;
}

function needed<Found>(body: Body, spec: Spec, kind: Kind<Found>): readonly Found[] {
  const { content } = body.partialContent(impliedSchema(spec));
  const found: Found[] = [];
  const visit = (one: Spec): void => {
    found.push(...neededBy(content, one, kind));
    for (const part of sameBodySpecs(one)) visit(part);
  };
  visit(spec);
  return found;
}

function neededBy<Found>(content: BodyContent, spec: Spec, kind: Kind<Found>): readonly Found[] {
  switch (spec.kind) {
    case "attribute": {
      const attribute = content.attributes.get(spec.name);
      return attribute === undefined ? [] : kind.of(attribute.expression);
    }
    case "expression":
      return kind.of(spec.expression);
    case "blockAttributes": {
      const block = content.blocks.find(({ type }) => type === spec.type);
      const { attributes, diagnostics } = block?.body.justAttributes() ?? { attributes: new Map<string, never>(), diagnostics: [] };
      if (hasErrors(diagnostics)) return [];
      const found = [...attributes.values()].flatMap(({ expression }) => kind.of(expression));
      return found.sort((a, b) => kind.rangeOf(a).start.byte - kind.rangeOf(b).start.byte);
    }
    case "block":
    case "blockList":
    case "blockSet":
    case "blockTuple":
    case "blockMap":
    case "blockObject": {
      const blocks = content.blocks.filter(({ type }) => type === spec.type);
      const counted = spec.kind === "block" ? blocks.slice(0, 1) : blocks;
      return counted.flatMap(({ body }) => needed(body, spec.nested, kind));
    }
    default:
      return [];
  }
}
