// SPDX-License-Identifier: Apache-2.0
import type { Mark } from "@tenon/cty";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { SourceRange } from "../syntax/position.ts";
import type { Attribute, Block, Body, BodyResult, BodySchema } from "./body.ts";

/** A body with the changes of an override body. @see OpenTofu configs.MergeBodies */
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
    return withOverride(this.#base.content(schema), this.#override.content(withoutRequired(schema)));
  }

  partialContent(schema: BodySchema): BodyResult & { readonly remain: Body } {
    const base = this.#base.partialContent(schema);
    const override = this.#override.partialContent(withoutRequired(schema));
    return { ...withOverride(base, override), remain: overrideBody(base.remain, override.remain) };
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

/** Required attributes must be in the base; an override contains only changes. */
function withoutRequired(schema: BodySchema): BodySchema {
  return { ...schema, attributes: (schema.attributes ?? []).map(({ name }) => ({ name })) };
}

function withOverride(base: BodyResult, override: BodyResult): BodyResult {
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

/** Type of a block; for a `dynamic` block that is not expanded, the type it generates. */
function blockType({ type, labels }: Block): string {
  return type === "dynamic" && labels[0] !== undefined ? labels[0] : type;
}

/**
 * A body with the changes of an override file. An attribute of `override` replaces the attribute of the same name, and its blocks
 * replace all blocks of the same type. Required attributes must be in `base`. The application decides which blocks of a file override
 * which: OpenTofu matches them by type and labels.
 *
 * @see https://opentofu.org/docs/language/files/override/
 */
export function overrideBody(base: Body, override: Body): Body {
  return new OverriddenBody(base, override);
}
