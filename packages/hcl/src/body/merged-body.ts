// SPDX-License-Identifier: Apache-2.0
import { goQuote as quote } from "@tenon/cty/unstable/payload";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import { errorAt } from "../syntax/diagnostic.ts";
import { initialPosition, type SourceRange } from "../syntax/position.ts";
import { formatRange } from "../syntax/range.ts";
import type { Attribute, Block, Body, BodyResult, BodySchema } from "./body.ts";

/** Several bodies as one, such as the files of a module. @see hcl.MergeBodies */
class MergedBody implements Body {
  readonly #bodies: readonly Body[];

  constructor(bodies: readonly Body[]) {
    this.#bodies = bodies;
  }

  content(schema: BodySchema): BodyResult {
    return this.#merged(schema, (body, part) => body.content(part));
  }

  partialContent(schema: BodySchema): BodyResult & { readonly remain: Body } {
    const remains: Body[] = [];
    const result = this.#merged(schema, (body, part) => {
      const { content, diagnostics, remain } = body.partialContent(part);
      remains.push(remain);
      return { content, diagnostics };
    });
    return { ...result, remain: mergeBodies(remains) };
  }

  #merged(schema: BodySchema, contentOf: (body: Body, schema: BodySchema) => BodyResult): BodyResult {
    // A required attribute can be in any of the bodies.
    const part: BodySchema = { ...schema, attributes: (schema.attributes ?? []).map(({ name }) => ({ name })) };
    const diagnostics: Diagnostic[] = [];
    const attributes = new Map<string, Attribute>();
    const blocks: Block[] = [];
    for (const body of this.#bodies) {
      const one = contentOf(body, part);
      diagnostics.push(...one.diagnostics);
      addAttributes(attributes, one.content.attributes, diagnostics);
      blocks.push(...one.content.blocks);
    }
    for (const { name, required } of schema.attributes ?? []) {
      if (!required || attributes.has(name)) continue;
      const detail = `The argument ${quote(name)} is required, but was not set.`;
      diagnostics.push({ severity: "error", summary: "Missing required argument", detail });
    }
    return { content: { attributes, blocks, missingItemRange: this.missingItemRange() }, diagnostics };
  }

  justAttributes(): { readonly attributes: ReadonlyMap<string, Attribute>; readonly diagnostics: readonly Diagnostic[] } {
    const diagnostics: Diagnostic[] = [];
    const attributes = new Map<string, Attribute>();
    for (const body of this.#bodies) {
      const one = body.justAttributes();
      diagnostics.push(...one.diagnostics);
      addAttributes(attributes, one.attributes, diagnostics);
    }
    return { attributes, diagnostics };
  }

  missingItemRange(): SourceRange {
    return this.#bodies[0]?.missingItemRange() ?? { filename: "<empty>", start: initialPosition, end: initialPosition };
  }
}

function addAttributes(to: Map<string, Attribute>, from: ReadonlyMap<string, Attribute>, diagnostics: Diagnostic[]): void {
  for (const [name, attribute] of from) {
    const existing = to.get(name);
    if (existing === undefined) {
      to.set(name, attribute);
    } else {
      const detail = `Argument ${quote(name)} was already set at ${formatRange(existing.nameRange)}`;
      diagnostics.push(errorAt("Duplicate argument", detail, attribute.nameRange));
    }
  }
}

/** Merges bodies: their attributes, whose names must be distinct, and their blocks in the order of the bodies. */
export function mergeBodies(bodies: readonly Body[]): Body {
  return new MergedBody(bodies);
}
