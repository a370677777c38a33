// SPDX-License-Identifier: Apache-2.0
import { withMarks, type Mark } from "@tenon/cty";
import type { Attribute, Body, BodyResult, BodySchema } from "../body/body.ts";
import { unknownOfAnyType } from "../evaluate/evaluator.ts";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { SourceRange } from "../syntax/position.ts";

/**
 * A body that occurs an unknown number of times. It has the structure and errors of another body, but all its values are unknown.
 *
 * @see dynblock unknownBody
 */
class UnknownBody implements Body {
  readonly #template: Body;
  readonly #valueMarks: ReadonlySet<Mark>;
  readonly unknown = true;
  readonly marks?: ReadonlySet<Mark>;

  constructor(template: Body, valueMarks: ReadonlySet<Mark>) {
    this.#template = template;
    this.#valueMarks = valueMarks;
    if (template.marks !== undefined) this.marks = template.marks;
  }

  content(schema: BodySchema): BodyResult {
    return this.#withUnknownContent(this.#template.content(schema));
  }

  partialContent(schema: BodySchema): BodyResult & { readonly remain: Body } {
    const { remain, ...result } = this.#template.partialContent(schema);
    return { ...this.#withUnknownContent(result), remain: unknownBody(remain, this.#valueMarks) };
  }

  justAttributes(): { readonly attributes: ReadonlyMap<string, Attribute>; readonly diagnostics: readonly Diagnostic[] } {
    const { attributes, diagnostics } = this.#template.justAttributes();
    return { attributes: this.#withUnknownValues(attributes), diagnostics };
  }

  missingItemRange(): SourceRange {
    return this.#template.missingItemRange();
  }

  #withUnknownContent({ content, diagnostics }: BodyResult): BodyResult {
    const blocks = content.blocks.map((block) => ({ ...block, body: unknownBody(block.body, this.#valueMarks) }));
    return { content: { ...content, attributes: this.#withUnknownValues(content.attributes), blocks }, diagnostics };
  }

  #withUnknownValues(attributes: ReadonlyMap<string, Attribute>): ReadonlyMap<string, Attribute> {
    const value = withMarks(unknownOfAnyType, this.#valueMarks);
    return new Map(
      [...attributes].map(([name, one]) => [name, { ...one, expression: { kind: "literal", value, range: one.expression.range } }]),
    );
  }
}

/** A body that occurs an unknown number of times, with the structure of `template`. */
export function unknownBody(template: Body, valueMarks: ReadonlySet<Mark>): Body {
  return new UnknownBody(template, valueMarks);
}
