// SPDX-License-Identifier: Apache-2.0
import type { Mark } from "@tenon/cty";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { SourceRange } from "../syntax/position.ts";
import type { Attribute, Block, Body, BodyResult, BodySchema } from "./body.ts";

/** A body with another one laid over it. @see OpenTofu configs.MergeBodies */
class OverriddenBody implements Body {
  readonly #base: Body;
  readonly #override: Body;
  readonly unknown?: boolean;
  readonly marks?: ReadonlySet<Mark>;

  constructor(base: Body, override: Body) {
    this.#base = base;
    this.#override = override;
    if (base.unknown || override.unknown) this.unknown = true;
    if (base.marks || override.marks) this.marks = new Set([...(base.marks ?? []), ...(override.marks ?? [])]);
  }

  content(schema: BodySchema): BodyResult {
    return laidOver(this.#base.content(schema), this.#override.content(withoutRequired(schema)));
  }

  partialContent(schema: BodySchema): BodyResult & { readonly remain: Body } {
    const base = this.#base.partialContent(schema);
    const override = this.#override.partialContent(withoutRequired(schema));
    return { ...laidOver(base, override), remain: overrideBody(base.remain, override.remain) };
  }

  justAttributes(): { readonly attributes: ReadonlyMap<string, Attribute>; readonly diagnostics: readonly Diagnostic[] } {
    const base = this.#base.justAttributes();
    const override = this.#override.justAttributes();
    return {
      attributes: new Map([...base.attributes, ...override.attributes]),
      diagnostics: [...base.diagnostics, ...override.diagnostics],
    };
  }

  missingItemRange(): SourceRange {
    return this.#base.missingItemRange();
  }
}

/** What is overridden must be whole in itself; what overrides says only what is to be otherwise. */
function withoutRequired(schema: BodySchema): BodySchema {
  return { ...schema, attributes: (schema.attributes ?? []).map(({ name }) => ({ name })) };
}

function laidOver(base: BodyResult, override: BodyResult): BodyResult {
  const replaced = new Set(override.content.blocks.map(blockType));
  const kept = base.content.blocks.filter((block) => !replaced.has(blockType(block)));
  return {
    content: {
      attributes: new Map([...base.content.attributes, ...override.content.attributes]),
      blocks: [...kept, ...override.content.blocks],
      missingItemRange: base.content.missingItemRange,
    },
    diagnostics: [...base.diagnostics, ...override.diagnostics],
  };
}

/** A `dynamic` block that was not expanded yet stands for blocks of its label. */
function blockType({ type, labels }: Block): string {
  return type === "dynamic" && labels[0] !== undefined ? labels[0] : type;
}

/**
 * A body with the changes of an override file: attributes of `override` take the place of those with their name, and its blocks
 * that of all blocks of their type. What required attributes there must be, `base` has to have. Which blocks of a file override
 * which is for the language to say: OpenTofu goes by type and labels.
 *
 * @see https://opentofu.org/docs/language/files/override/
 */
export function overrideBody(base: Body, override: Body): Body {
  return new OverriddenBody(base, override);
}
