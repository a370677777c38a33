// SPDX-License-Identifier: Apache-2.0
import { CtyError, friendlyName, isKnown, isMarked, isNull, string, unmark, type Value } from "@tenon/cty";
import { canIterateElements } from "@tenon/cty/operators";
import { convert } from "@tenon/cty/convert";
import { goQuote as quote } from "@tenon/cty/unstable/payload";
import { absoluteTraversal, expressionList } from "../analysis/static-expression.ts";
import type { Attribute, Block, BlockSchema, Body, BodyContent, BodySchema } from "../body/body.ts";
import { evaluate } from "../evaluate/evaluate.ts";
import { evaluationError } from "../evaluate/evaluator.ts";
import type { Scope } from "../syntax/scope.ts";
import { errorAt, hasErrors, type Diagnostic } from "../syntax/diagnostic.ts";
import type { Expression } from "../syntax/expression.ts";
import { rootName, traversalRange } from "../syntax/traversal.ts";

/** Schema of `dynamic` blocks. The label is the type of the blocks to generate. */
export const dynamicBlock: BlockSchema = { type: "dynamic", labelNames: ["type"] };

/** The content of a `dynamic` block. */
export interface DynamicSpec {
  readonly forEach: Value;
  readonly iterator: string;
  readonly labels: readonly Expression[];
  readonly content: Body;
}

/**
 * Checks the value of `for_each` before its use, so that an application can refuse it.
 *
 * @see dynblock.OptCheckForEach
 */
export type ForEachCheck = (value: Value, expression: Expression, scope: Scope | undefined) => readonly Diagnostic[];

/** Reads a `dynamic` block that generates blocks of the given schema; undefined after errors, which are reported. */
export function readDynamicSpec(
  block: Block,
  made: BlockSchema,
  scope: Scope | undefined,
  checks: readonly ForEachCheck[],
  diagnostics: Diagnostic[],
): DynamicSpec | undefined {
  const labelNames = made.labelNames ?? [];
  const found = block.body.content(specSchema(labelNames.length > 0));
  diagnostics.push(...found.diagnostics);
  if (hasErrors(found.diagnostics)) return undefined;
  const { content } = found;
  const iterator = iteratorName(content.attributes.get("iterator"), made.type, diagnostics);
  if (iterator === undefined) return undefined;
  const forEach = forEachValue(content.attributes.get("for_each")!, scope, checks, diagnostics);
  if (forEach === undefined) return undefined;
  const labels = labelExpressions(content.attributes.get("labels"), made.type, labelNames.length, diagnostics);
  const body = labels === undefined ? undefined : contentBody(content, diagnostics);
  return labels === undefined || body === undefined ? undefined : { forEach, iterator, labels, content: body };
}

function specSchema(hasLabels: boolean): BodySchema {
  const attributes = [{ name: "for_each", required: true }, { name: "iterator" }];
  return { attributes: hasLabels ? [...attributes, { name: "labels", required: true }] : attributes, blocks: [{ type: "content" }] };
}

function iteratorName(attribute: Attribute | undefined, type: string, diagnostics: Diagnostic[]): string | undefined {
  if (attribute === undefined) return type;
  const { traversal, diagnostics: problems } = absoluteTraversal(attribute.expression);
  diagnostics.push(...problems);
  if (traversal === undefined) return undefined;
  if (traversal.length === 1) return rootName(traversal);
  const detail = "Dynamic iterator must be a single variable name.";
  diagnostics.push(errorAt("Invalid dynamic iterator name", detail, traversalRange(traversal)!));
  return undefined;
}

function forEachValue(
  { expression }: Attribute,
  scope: Scope | undefined,
  checks: readonly ForEachCheck[],
  diagnostics: Diagnostic[],
): Value | undefined {
  const { value, diagnostics: problems } = evaluate(expression, scope);
  diagnostics.push(...problems);
  if (hasErrors(problems)) return undefined;
  for (const check of checks) {
    const found = check(value, expression, scope);
    diagnostics.push(...found);
    if (hasErrors(found)) return undefined;
  }
  const refuse = (detail: string): undefined => {
    diagnostics.push(evaluationError("Invalid dynamic for_each value", detail, { subject: expression.range }, expression, scope));
  };
  if (!canIterateElements(unmark(value)[0]) && value.type.kind !== "dynamic") {
    return refuse(`Cannot use a ${friendlyName(value.type)} value in for_each. An iterable collection is required.`);
  }
  return isNull(value) ? refuse("Cannot use a null value in for_each.") : value;
}

function labelExpressions(
  attribute: Attribute | undefined,
  type: string,
  wanted: number,
  diagnostics: Diagnostic[],
): readonly Expression[] | undefined {
  if (attribute === undefined) return [];
  const { list, diagnostics: problems } = expressionList(attribute.expression);
  diagnostics.push(...problems);
  if (list === undefined) return undefined;
  if (list.length === wanted) return list;
  const detail = `Blocks of type ${quote(type)} require ${wanted} label(s).`;
  const surplus = list[wanted];
  diagnostics.push(
    surplus === undefined
      ? errorAt("Insufficient dynamic block labels", detail, attribute.expression.range)
      : errorAt("Extraneous dynamic block label", detail, surplus.range),
  );
  return undefined;
}

function contentBody({ blocks, missingItemRange }: BodyContent, diagnostics: Diagnostic[]): Body | undefined {
  const [block, second] = blocks;
  if (block === undefined) {
    const detail = 'A dynamic block must have a nested block of type "content" to describe the body of each generated block.';
    diagnostics.push(errorAt("Missing dynamic content block", detail, missingItemRange));
    return undefined;
  }
  if (second === undefined) return block.body;
  const detail = "Only one nested content block is allowed for each dynamic block.";
  diagnostics.push(errorAt("Extraneous dynamic content block", detail, second.declarationRange));
  return undefined;
}

/** Labels of a generated block; undefined after errors, which are reported. */
export function labelTexts(
  expressions: readonly Expression[],
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): readonly string[] | undefined {
  const texts: string[] = [];
  for (const expression of expressions) {
    const { value, diagnostics: problems } = evaluate(expression, scope);
    diagnostics.push(...problems);
    if (hasErrors(problems)) return undefined;
    const text = labelText(value);
    if (typeof text !== "string") {
      diagnostics.push(evaluationError("Invalid dynamic block label", text.why, { subject: expression.range }, expression, scope));
      return undefined;
    }
    texts.push(text);
  }
  return texts;
}

function labelText(value: Value): string | { readonly why: string } {
  let text: Value;
  try {
    text = convert(value, string);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    return { why: `Cannot use this value as a dynamic block label: ${error.message}.` };
  }
  if (isNull(text)) return { why: "Cannot use a null value as a dynamic block label." };
  if (!isKnown(text)) return { why: "This value is not yet known. Dynamic block labels must be immediately-known values." };
  if (isMarked(text)) return { why: "This value has dynamic marks that make it unsuitable for use as a block label." };
  return text.payload as string;
}
