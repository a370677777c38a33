// SPDX-License-Identifier: Apache-2.0
import { payloadsSame } from "@tenon/cty/unstable/payload";
import type { Expression } from "@tenon/hcl";
import { childrenOf } from "@tenon/hcl/analysis";
import type { Traversal } from "@tenon/hcl/syntax";

const comparable: ReadonlySet<Expression["kind"]> = new Set([
  "scopeTraversal",
  "literal",
  "relativeTraversal",
  "functionCall",
  "conditional",
  "index",
  "tuple",
  "object",
  "for",
  "binary",
  "unary",
  "template",
] as const);

/**
 * Whether two expressions have the same syntax, apart from parentheses and white space. False for splats and other rare kinds.
 *
 * @see OpenTofu configs, providerIterationIdentical
 */
export function sameExpression(givenA: Expression, givenB: Expression): boolean {
  const [a, b] = [withoutWrapping(givenA), withoutWrapping(givenB)];
  if (a.kind !== b.kind || !comparable.has(a.kind) || !sameOwnParts(a, b)) return false;
  const [childrenA, childrenB] = [[...childrenOf(a)], [...childrenOf(b)]];
  return (
    childrenA.length === childrenB.length &&
    childrenA.every((child, index) => sameExpression(child as Expression, childrenB[index] as Expression))
  );
}

function withoutWrapping(expression: Expression): Expression {
  if (expression.kind === "parentheses") return withoutWrapping(expression.inner);
  return expression.kind === "objectKey" ? withoutWrapping(expression.wrapped) : expression;
}

/** Whether two expressions are equal apart from their child expressions. */
function sameOwnParts(a: Expression, b: Expression): boolean {
  if (a.kind === "scopeTraversal" || a.kind === "relativeTraversal") return sameTraversal(a.traversal, (b as typeof a).traversal);
  if (a.kind === "literal") {
    const other = b as typeof a;
    return a.value.type === other.value.type && payloadsSame(a.value.type, a.value.payload, other.value.payload);
  }
  if (a.kind === "functionCall") return a.name === (b as typeof a).name;
  if (a.kind === "binary" || a.kind === "unary") return a.operator === (b as typeof a).operator;
  if (a.kind !== "for") return true;
  const other = b as typeof a;
  return (
    a.keyName === other.keyName &&
    a.valueName === other.valueName &&
    a.group === other.group &&
    (a.key === undefined) === (other.key === undefined) &&
    (a.condition === undefined) === (other.condition === undefined)
  );
}

function sameTraversal(a: Traversal, b: Traversal): boolean {
  return (
    a.length === b.length &&
    a.every((step, index) => {
      const other = b[index]!;
      if (step.kind === "index") {
        return (
          other.kind === "index" && step.key.type === other.key.type && payloadsSame(step.key.type, step.key.payload, other.key.payload)
        );
      }
      return step.kind !== "splat" && step.kind === other.kind && step.name === other.name;
    })
  );
}
