// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { hasErrors, type Body, type Diagnostic, type Expression, type Scope, type SourceRange } from "@tenon/hcl";
import type { Attribute, BodyContent } from "@tenon/hcl/body";
import { evaluate } from "@tenon/hcl/evaluate";

/** An expression that is a value. */
export function literal(value: Value, range: SourceRange): Expression {
  return { kind: "literal", value, range };
}

/**
 * A body whose attributes are evaluated in a scope, so that the body can be decoded in another scope. Attributes with errors keep their
 * expressions; the errors are among the diagnostics of the content.
 *
 * @see OpenTofu testProviderBody
 */
export function literalBody(body: Body, scope: Scope): Body {
  return {
    content: (schema) => literalContent(body.content(schema), scope),
    partialContent: (schema) => {
      const { remain, ...read } = body.partialContent(schema);
      const literals = literalContent(read, scope);
      return { ...literals, remain: hasErrors(read.diagnostics) ? remain : literalBody(remain, scope) };
    },
    justAttributes: () => {
      const read = body.justAttributes();
      const { attributes, diagnostics } = literalAttributes(read.attributes, scope);
      return { attributes, diagnostics: [...read.diagnostics, ...diagnostics] };
    },
    missingItemRange: () => body.missingItemRange(),
  };
}

interface ReadContent {
  readonly content: BodyContent;
  readonly diagnostics: readonly Diagnostic[];
}

/** Evaluates the attributes of a content, and of its blocks. A content with errors is left as it is. */
function literalContent(read: ReadContent, scope: Scope): ReadContent {
  if (hasErrors(read.diagnostics)) return read;
  const { attributes, diagnostics } = literalAttributes(read.content.attributes, scope);
  const blocks = read.content.blocks.map((block) => ({ ...block, body: literalBody(block.body, scope) }));
  return { content: { ...read.content, attributes, blocks }, diagnostics: [...read.diagnostics, ...diagnostics] };
}

function literalAttributes(
  attributes: ReadonlyMap<string, Attribute>,
  scope: Scope,
): { readonly attributes: ReadonlyMap<string, Attribute>; readonly diagnostics: readonly Diagnostic[] } {
  const literals = new Map<string, Attribute>();
  const diagnostics: Diagnostic[] = [];
  for (const [name, attribute] of attributes) {
    const evaluation = evaluate(attribute.expression, scope);
    diagnostics.push(...evaluation.diagnostics);
    const isValid = !hasErrors(evaluation.diagnostics);
    literals.set(name, isValid ? { ...attribute, expression: literal(evaluation.value, attribute.range) } : attribute);
  }
  return { attributes: literals, diagnostics };
}
