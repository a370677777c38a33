// SPDX-License-Identifier: Apache-2.0
import { hasErrors, type Body, type Diagnostic, type Expression, type Scope, type SourceRange } from "@tenon/hcl";
import type { Attribute, BodyContent } from "@tenon/hcl/body";
import { evaluate } from "@tenon/hcl/evaluate";
import type { Value } from "@tenon/cty";

/** An expression that is a value. */
export function literal(value: Value, range: SourceRange): Expression {
  return { kind: "literal", value, range };
}

/** A body whose attributes have the values that they have in a scope, so that they can be used in another scope. @see OpenTofu testProviderBody */
export function literalBody(body: Body, scope: Scope): Body {
  const evaluated = (
    attributes: ReadonlyMap<string, Attribute>,
  ): { readonly attributes: ReadonlyMap<string, Attribute>; readonly diagnostics: readonly Diagnostic[] } => {
    const found = new Map<string, Attribute>();
    const diagnostics: Diagnostic[] = [];
    for (const [name, attribute] of attributes) {
      const evaluation = evaluate(attribute.expression, scope);
      diagnostics.push(...evaluation.diagnostics);
      found.set(
        name,
        hasErrors(evaluation.diagnostics) ? attribute : { ...attribute, expression: literal(evaluation.value, attribute.range) },
      );
    }
    return { attributes: found, diagnostics };
  };
  const contentOf = (content: BodyContent): { readonly content: BodyContent; readonly diagnostics: readonly Diagnostic[] } => {
    const { attributes, diagnostics } = evaluated(content.attributes);
    const blocks = content.blocks.map((block) => ({ ...block, body: literalBody(block.body, scope) }));
    return { content: { ...content, attributes, blocks }, diagnostics };
  };
  return {
    content: (schema) => {
      const read = body.content(schema);
      if (hasErrors(read.diagnostics)) return read;
      const { content, diagnostics } = contentOf(read.content);
      return { content, diagnostics: [...read.diagnostics, ...diagnostics] };
    },
    partialContent: (schema) => {
      const { remain, ...read } = body.partialContent(schema);
      if (hasErrors(read.diagnostics)) return { ...read, remain };
      const { content, diagnostics } = contentOf(read.content);
      return { content, diagnostics: [...read.diagnostics, ...diagnostics], remain: literalBody(remain, scope) };
    },
    justAttributes: () => {
      const read = body.justAttributes();
      const { attributes, diagnostics } = evaluated(read.attributes);
      return { attributes, diagnostics: [...read.diagnostics, ...diagnostics] };
    },
    missingItemRange: () => body.missingItemRange(),
  };
}
