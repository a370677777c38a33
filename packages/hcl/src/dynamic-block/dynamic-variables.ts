// SPDX-License-Identifier: Apache-2.0
import { calledFunctions } from "../analysis/called-functions.ts";
import type { CalledFunction } from "../syntax/called-function.ts";
import { absoluteTraversal } from "../analysis/static-expression.ts";
import { variables } from "../analysis/variables.ts";
import type { Attribute, Body, BodySchema } from "../body/body.ts";
import { childBlockTypes, impliedSchema } from "../decode/implied-schema.ts";
import type { Spec } from "../decode/spec.ts";
import type { Expression } from "../syntax/expression.ts";
import { rootName, type Traversal } from "../syntax/traversal.ts";
import { dynamicBlock } from "./dynamic-spec.ts";

/**
 * References in a body with `dynamic` blocks that a spec decodes, without iterators.
 *
 * @see dynblock.VariablesHCLDec
 */
export function dynamicVariables(body: Body, spec: Spec): readonly Traversal[] {
  return collected(body, spec, noIterators, { of: outerVariables, inContent: true });
}

/**
 * References that the expansion of `dynamic` blocks needs: those in `for_each` and `labels`.
 *
 * @see dynblock.ExpandVariablesHCLDec
 */
export function expansionVariables(body: Body, spec: Spec): readonly Traversal[] {
  return collected(body, spec, noIterators, { of: outerVariables, inContent: false });
}

/**
 * Function calls in a body with `dynamic` blocks that a spec decodes.
 *
 * @see dynblock.FunctionsHCLDec of OpenTofu's HCL
 */
export function dynamicFunctions(body: Body, spec: Spec): readonly CalledFunction[] {
  return collected(body, spec, noIterators, { of: calledFunctions, inContent: true });
}

/**
 * Function calls that the expansion of `dynamic` blocks needs: those in `for_each` and `labels`.
 *
 * @see dynblock.ExpandFunctionsHCLDec of OpenTofu's HCL
 */
export function expansionFunctions(body: Body, spec: Spec): readonly CalledFunction[] {
  return collected(body, spec, noIterators, { of: calledFunctions, inContent: false });
}

const noIterators: ReadonlySet<string> = new Set();

/** The kind of thing to find in expressions, and whether the content of blocks is searched. */
interface Kind<Found> {
  readonly of: (expression: Expression, iterators: ReadonlySet<string>) => readonly Found[];
  readonly inContent: boolean;
}

function outerVariables(expression: Expression, iterators: ReadonlySet<string>): readonly Traversal[] {
  return variables(expression).filter((traversal) => !iterators.has(rootName(traversal)!));
}

/** Schema without required attributes: errors of a `dynamic` block are reported by its expansion. */
const lenient: BodySchema = {
  attributes: [{ name: "for_each" }, { name: "labels" }, { name: "iterator" }],
  blocks: [{ type: "content" }],
};

function collected<Found>(body: Body, spec: Spec, iterators: ReadonlySet<string>, kind: Kind<Found>): Found[] {
  const schema = impliedSchema(spec);
  const { content } = body.partialContent({ ...schema, blocks: [...(schema.blocks ?? []), dynamicBlock] });
  const nested = childBlockTypes(spec);
  const found: Found[] = [];
  const look = (attribute: Attribute | undefined, hidden: ReadonlySet<string>): void => {
    if (attribute !== undefined) found.push(...kind.of(attribute.expression, hidden));
  };
  if (kind.inContent) for (const attribute of content.attributes.values()) look(attribute, iterators);
  const later: Found[] = [];
  const descend = (child: Body, type: string, inside: ReadonlySet<string>): void => {
    const childSpec = nested.get(type);
    if (childSpec !== undefined) later.push(...collected(child, childSpec, inside, kind));
  };
  for (const block of content.blocks) {
    if (block.type !== dynamicBlock.type) {
      descend(block.body, block.type, iterators);
      continue;
    }
    const type = block.labels[0]!;
    const inner = block.body.partialContent(lenient).content;
    const iterator = iteratorOf(inner.attributes.get("iterator"), type);
    if (iterator === undefined) continue;
    const inside = new Set([...iterators, iterator]);
    look(inner.attributes.get("for_each"), iterators);
    look(inner.attributes.get("labels"), inside);
    for (const each of inner.blocks) descend(each.body, type, inside);
  }
  return [...found, ...later];
}

function iteratorOf(attribute: Attribute | undefined, type: string): string | undefined {
  if (attribute === undefined) return type;
  const { traversal } = absoluteTraversal(attribute.expression);
  return traversal && rootName(traversal);
}
