// SPDX-License-Identifier: Apache-2.0
import { goQuote as quote } from "@tenon/cty/unstable/payload";
import { declarationRange, type AttributeSyntax, type BlockSyntax, type BodySyntax } from "../syntax/body.ts";
import { errorAt, type Diagnostic } from "../syntax/diagnostic.ts";
import type { SourceRange } from "../syntax/position.ts";
import { rangeBetween, startOfRange } from "../syntax/range.ts";
import { didYouMean, similarName } from "../syntax/suggestion.ts";
import type { Attribute, Block, BlockSchema, Body, BodyResult, BodySchema } from "./body.ts";

/** A body of the native syntax, without the attributes and blocks that earlier schemas have read. @see hclsyntax.Body */
class NativeBody implements Body {
  readonly #syntax: BodySyntax;
  /** Attribute names and block types that earlier schemas have read. */
  readonly #hiddenAttributes: ReadonlySet<string>;
  readonly #hiddenBlocks: ReadonlySet<string>;

  constructor(syntax: BodySyntax, hiddenAttributes: ReadonlySet<string>, hiddenBlocks: ReadonlySet<string>) {
    this.#syntax = syntax;
    this.#hiddenAttributes = hiddenAttributes;
    this.#hiddenBlocks = hiddenBlocks;
  }

  content(schema: BodySchema): BodyResult {
    const { content, diagnostics, remain } = this.#partialContent(schema);
    const unexpected: Diagnostic[] = [];
    for (const attribute of remain.#shownAttributes()) {
      const others = (schema.attributes ?? []).filter(({ name }) => !content.attributes.has(name)).map(({ name }) => name);
      const isBlock = (schema.blocks ?? []).some(({ type }) => type === attribute.name);
      const asBlock = isBlock ? ` Did you mean to define a block of type ${quote(attribute.name)}?` : "";
      const suggestion = didYouMean(similarName(attribute.name, others)) || asBlock;
      const detail = `An argument named ${quote(attribute.name)} is not expected here.${suggestion}`;
      unexpected.push(errorAt("Unsupported argument", detail, attribute.nameRange));
    }
    for (const block of remain.#shownBlocks()) {
      const isAttribute = (schema.attributes ?? []).some(({ name }) => name === block.type);
      const asAttribute = isAttribute
        ? ` Did you mean to define argument ${quote(block.type)}? If so, use the equals sign to assign it a value.`
        : "";
      const types = (schema.blocks ?? []).map(({ type }) => type);
      const detail = `Blocks of type ${quote(block.type)} are not expected here.${didYouMean(similarName(block.type, types)) || asAttribute}`;
      unexpected.push(errorAt("Unsupported block type", detail, block.typeRange));
    }
    return { content, diagnostics: [...diagnostics, ...unexpected] };
  }

  partialContent(schema: BodySchema): BodyResult & { readonly remain: Body } {
    return this.#partialContent(schema);
  }

  #partialContent(schema: BodySchema): BodyResult & { readonly remain: NativeBody } {
    const diagnostics: Diagnostic[] = [];
    const attributes = new Map<string, Attribute>();
    const hiddenAttributes = new Set(this.#hiddenAttributes);
    for (const { name, required } of schema.attributes ?? []) {
      const found = hiddenAttributes.has(name) ? undefined : this.#syntax.attributes.get(name);
      if (found !== undefined) {
        hiddenAttributes.add(name);
        attributes.set(name, attributeOf(found));
      } else if (required) {
        diagnostics.push(missingArgument(name, this.missingItemRange()));
      }
    }
    const byType = new Map((schema.blocks ?? []).map((block) => [block.type, block]));
    const blocks: Block[] = [];
    for (const block of this.#shownBlocks()) {
      const blockSchema = byType.get(block.type);
      if (blockSchema === undefined) continue;
      const problem = labelProblem(block, blockSchema);
      if (problem === undefined) blocks.push(blockOf(block));
      else diagnostics.push(problem);
    }
    const remain = new NativeBody(this.#syntax, hiddenAttributes, new Set([...this.#hiddenBlocks, ...byType.keys()]));
    return { content: { attributes, blocks, missingItemRange: this.missingItemRange() }, diagnostics, remain };
  }

  justAttributes(): { readonly attributes: ReadonlyMap<string, Attribute>; readonly diagnostics: readonly Diagnostic[] } {
    // As in the Go library, blocks that an earlier schema has read are errors as well.
    const [block] = this.#syntax.blocks;
    const diagnostics =
      block === undefined ? [] : [errorAt(`Unexpected ${quote(block.type)} block`, "Blocks are not allowed here.", block.typeRange)];
    return { attributes: new Map(this.#shownAttributes().map((one) => [one.name, attributeOf(one)])), diagnostics };
  }

  missingItemRange(): SourceRange {
    return startOfRange(this.#syntax.range);
  }

  #shownAttributes(): readonly AttributeSyntax[] {
    return [...this.#syntax.attributes.values()].filter(({ name }) => !this.#hiddenAttributes.has(name));
  }

  #shownBlocks(): readonly BlockSyntax[] {
    return this.#syntax.blocks.filter(({ type }) => !this.#hiddenBlocks.has(type));
  }
}

/** A body of the native syntax. */
export function nativeBody(syntax: BodySyntax): Body {
  return new NativeBody(syntax, new Set(), new Set());
}

/** Error about a missing required attribute. */
export function missingArgument(name: string, subject: SourceRange): Diagnostic {
  return errorAt("Missing required argument", `The argument ${quote(name)} is required, but no definition was found.`, subject);
}

function attributeOf({ name, expression, nameRange, range }: AttributeSyntax): Attribute {
  return { name, expression, nameRange, range };
}

function blockOf(block: BlockSyntax): Block {
  const { type, labels, typeRange, labelRanges } = block;
  return { type, labels, body: nativeBody(block.body), declarationRange: declarationRange(block), typeRange, labelRanges };
}

/** Error about the number of a block's labels, if it is wrong. */
function labelProblem(
  { type, labels, labelRanges, typeRange, openBraceRange }: BlockSyntax,
  { labelNames = [] }: BlockSchema,
): Diagnostic | undefined {
  const context = rangeBetween(typeRange, openBraceRange);
  const count = labelNames.length;
  if (labels.length > count) {
    const detail =
      count === 0
        ? `No labels are expected for ${type} blocks.`
        : `Only ${count} labels (${labelNames.join(", ")}) are expected for ${type} blocks.`;
    return errorAt(`Extraneous label for ${type}`, detail, labelRanges[count]!, context);
  }
  const missing = labelNames[labels.length];
  if (missing === undefined) return undefined;
  const detail = `All ${type} blocks must have ${count} labels (${labelNames.join(", ")}).`;
  return errorAt(`Missing ${missing} for ${type}`, detail, openBraceRange, context);
}
