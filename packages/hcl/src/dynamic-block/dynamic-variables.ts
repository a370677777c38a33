// SPDX-License-Identifier: Apache-2.0
import { absoluteTraversal } from "../analysis/static-expression.ts";
import { variables } from "../analysis/variables.ts";
import type { Attribute, Body, BodySchema } from "../body/body.ts";
import { childBlockTypes, impliedSchema } from "../decode/implied-schema.ts";
import type { Spec } from "../decode/spec.ts";
import { rootName, type Traversal } from "../syntax/traversal.ts";
import { dynamicBlock } from "./dynamic-spec.ts";

/**
 * The references in a body with `dynamic` blocks that a spec decodes; iterators are not among them.
 *
 * @see dynblock.VariablesHCLDec
 */
export function dynamicVariables(body: Body, spec: Spec): readonly Traversal[] {
  return collected(body, spec, new Set(), true);
}

/**
 * Only the references that are needed to expand `dynamic` blocks: those in `for_each` and `labels`.
 *
 * @see dynblock.ExpandVariablesHCLDec
 */
export function expansionVariables(body: Body, spec: Spec): readonly Traversal[] {
  return collected(body, spec, new Set(), false);
}

/** What is wrong with a `dynamic` block is told when it is expanded. */
const lenient: BodySchema = {
  attributes: [{ name: "for_each" }, { name: "labels" }, { name: "iterator" }],
  blocks: [{ type: "content" }],
};

function collected(body: Body, spec: Spec, iterators: ReadonlySet<string>, all: boolean): Traversal[] {
  const schema = impliedSchema(spec);
  const { content } = body.partialContent({ ...schema, blocks: [...(schema.blocks ?? []), dynamicBlock] });
  const nested = childBlockTypes(spec);
  const found: Traversal[] = [];
  if (all) for (const attribute of content.attributes.values()) found.push(...referencesOf(attribute, iterators));
  const later: Traversal[] = [];
  const descend = (child: Body, type: string, inside: ReadonlySet<string>): void => {
    const childSpec = nested.get(type);
    if (childSpec !== undefined) later.push(...collected(child, childSpec, inside, all));
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
    found.push(...referencesOf(inner.attributes.get("for_each"), iterators));
    found.push(...referencesOf(inner.attributes.get("labels"), inside));
    for (const each of inner.blocks) descend(each.body, type, inside);
  }
  return [...found, ...later];
}

function iteratorOf(attribute: Attribute | undefined, type: string): string | undefined {
  if (attribute === undefined) return type;
  const { traversal } = absoluteTraversal(attribute.expression);
  return traversal && rootName(traversal);
}

function referencesOf(attribute: Attribute | undefined, hidden: ReadonlySet<string>): readonly Traversal[] {
  return attribute === undefined ? [] : variables(attribute.expression).filter((traversal) => !hidden.has(rootName(traversal)!));
}
