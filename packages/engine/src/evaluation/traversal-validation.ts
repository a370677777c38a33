// SPDX-License-Identifier: Apache-2.0
import { unknown } from "@tenon/cty";
import { compareCodePoints, goQuote } from "@tenon/cty/unstable/payload";
import { hasErrors, type Diagnostic, type SourceRange } from "@tenon/hcl";
import { attributeOf, indexOf } from "@tenon/hcl/evaluate";
import { didYouMean, similarName } from "@tenon/hcl/report";
import { isValidIdentifier } from "@tenon/hcl/scan";
import type { Traversal, TraversalStep } from "@tenon/hcl/syntax";
import { attributeType, type Block, type NestedBlock } from "@tenon/schema";

/**
 * The errors of a traversal into an object that its schema shows.
 *
 * @see OpenTofu configschema, Block.StaticValidateTraversal
 */
export function validateTraversal(traversal: Traversal, schema: Pick<Block, "attributes" | "blocks">): readonly Diagnostic[] {
  const [step, ...rest] = traversal;
  if (step === undefined) return [];
  if (step.kind !== "attribute")
    return error("Invalid index operation", `Only attribute access is allowed here${dotAdvice(step)}`, step.range);
  const { name, range } = step;
  const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
  // The steps below an attribute are followed in an unknown value of its type: the errors are those of an evaluation.
  if (attribute !== undefined) return follow(rest, unknown(attributeType(attribute)));
  const block = Object.hasOwn(schema.blocks, name) ? schema.blocks[name] : undefined;
  if (block !== undefined) return validateNested(rest, name, block);
  const similar = similarName(name, [...Object.keys(schema.attributes), ...Object.keys(schema.blocks)].sort(compareCodePoints));
  const advice = didYouMean(similar);
  const detail = `This object has no argument, nested block, or exported attribute named ${goQuote(name)}.${advice}`;
  return error("Unsupported attribute", detail, range);
}

function validateNested(traversal: Traversal, type: string, { nesting, block }: NestedBlock): readonly Diagnostic[] {
  const [step, ...rest] = traversal;
  if (nesting === "single" || nesting === "group") return validateTraversal(traversal, block);
  if (step === undefined) return [];
  if (nesting === "map") return validateTraversal(rest, block);
  if (nesting === "set") {
    const detail = `Block type ${goQuote(type)} is represented by a set of objects, and set elements do not have addressable keys. To find elements matching specific criteria, use a "for" expression with an "if" clause.`;
    return error("Cannot index a set value", detail, step.range);
  }
  if (step.kind === "index") return validateTraversal(rest, block);
  const detail = `Block type ${goQuote(type)} is represented by a list of objects, so it must be indexed using a numeric key, like .${type}[0].`;
  return error("Invalid operation", detail, step.range);
}

function follow(traversal: Traversal, start: ReturnType<typeof unknown>): readonly Diagnostic[] {
  let value = start;
  for (const step of traversal) {
    if (step.kind !== "attribute" && step.kind !== "index") return [];
    const outcome = step.kind === "attribute" ? attributeOf(value, step.name, step.range) : indexOf(value, step.key, step.range);
    if (hasErrors(outcome.diagnostics)) return outcome.diagnostics;
    value = outcome.value;
  }
  return [];
}

function dotAdvice(step: TraversalStep): string {
  const key = step.kind === "index" ? step.key.payload : undefined;
  if (typeof key !== "string" || !isValidIdentifier(key)) return ", using the dot operator.";
  return `. Did you mean to access attribute ${goQuote(key)} using the dot operator?`;
}

function error(summary: string, detail: string, subject: SourceRange): readonly Diagnostic[] {
  return [{ severity: "error", summary, detail, subject }];
}
