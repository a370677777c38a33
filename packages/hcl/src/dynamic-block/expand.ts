// SPDX-License-Identifier: Apache-2.0
import { isKnown, unmark, type Mark } from "@tenon/cty";
import { elements } from "@tenon/cty/operators";
import { goQuote as quote } from "@tenon/cty/unstable/payload";
import type { Attribute, AttributeSchema, Block, BlockSchema, Body, BodyResult, BodySchema } from "../body/body.ts";
import { unknownOfAnyType } from "../evaluate/evaluator.ts";
import { createScope, type Scope, scopeWith } from "../syntax/scope.ts";
import { errorAt, type Diagnostic } from "../syntax/diagnostic.ts";
import type { SourceRange } from "../syntax/position.ts";
import { dynamicBlock, labelTexts, readDynamicSpec, type DynamicSpec, type ForEachCheck } from "./dynamic-spec.ts";
import { scopedAttribute, withIterator, type Iterators } from "./iteration.ts";
import { unknownBody } from "./unknown-body.ts";

/** Options of {@link expandDynamicBlocks}. */
export interface ExpandOptions {
  /** Checks that are called with each value of `for_each`. */
  readonly checkForEach?: readonly ForEachCheck[];
  /** Whether the marks of `for_each` apply to the generated blocks as a whole, beside their attributes. Default: true. */
  readonly marksBlocks?: boolean;
}

const noMarks: ReadonlySet<Mark> = new Set();

/**
 * A body in which `dynamic` blocks, nested ones included, are replaced by the blocks they generate. They are expanded when a schema has
 * blocks of their type. If `for_each` is unknown, one block with unknown content stands for all; marks of `for_each` apply to everything
 * generated.
 *
 * @param scope Scope of `for_each` and `labels`.
 * @see dynblock.Expand
 *
 * @example
 * const { body } = parseConfig('dynamic "rule" {\n for_each = ["a", "b"]\n content {\n name = rule.value\n }\n}', "main.tf");
 * const spec: Spec = { kind: "blockList", type: "rule", nested: { kind: "attribute", name: "name", type: string } };
 * decode(expandDynamicBlocks(nativeBody(body), createScope({})), spec).value
 * // => cty.ListVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b")})
 */
export function expandDynamicBlocks(body: Body, scope: Scope | undefined, options: ExpandOptions = {}): Body {
  return new ExpandedBody({
    original: body,
    scope,
    checks: options.checkForEach ?? [],
    marksBlocks: options.marksBlocks ?? true,
    iterators: undefined,
    marks: noMarks,
  });
}

interface Expansion {
  readonly original: Body;
  readonly scope: Scope | undefined;
  readonly checks: readonly ForEachCheck[];
  readonly marksBlocks: boolean;
  /** Iterators of the enclosing `dynamic` blocks. */
  readonly iterators: Iterators | undefined;
  /** Marks of the `for_each` that generated the body. */
  readonly marks: ReadonlySet<Mark>;
}

class ExpandedBody implements Body {
  readonly #of: Expansion;
  /** Attributes that earlier schemas have read. The original body still has them, because the label of a `dynamic` block decides its type. */
  readonly #hiddenAttributes: ReadonlySet<string>;
  readonly #hiddenBlocks: ReadonlyMap<string, BlockSchema>;
  readonly marks: ReadonlySet<Mark>;

  constructor(
    of: Expansion,
    hiddenAttributes: ReadonlySet<string> = new Set(),
    hiddenBlocks: ReadonlyMap<string, BlockSchema> = new Map(),
  ) {
    this.#of = of;
    this.#hiddenAttributes = hiddenAttributes;
    this.#hiddenBlocks = hiddenBlocks;
    this.marks = of.marksBlocks ? of.marks : noMarks;
  }

  content(schema: BodySchema): BodyResult {
    return this.#expanded(schema, this.#of.original.content(this.#extended(schema)), false);
  }

  partialContent(schema: BodySchema): BodyResult & { readonly remain: Body } {
    const result = this.#expanded(schema, this.#of.original.partialContent(this.#extended(schema)), true);
    const attributes = new Set([...this.#hiddenAttributes, ...(schema.attributes ?? []).map(({ name }) => name)]);
    const blocks = new Map([...this.#hiddenBlocks, ...(schema.blocks ?? []).map((block) => [block.type, block] as const)]);
    // As in the Go library, the rest has no marks.
    return { ...result, remain: new ExpandedBody({ ...this.#of, marks: noMarks }, attributes, blocks) };
  }

  justAttributes(): { readonly attributes: ReadonlyMap<string, Attribute>; readonly diagnostics: readonly Diagnostic[] } {
    return this.#of.original.justAttributes();
  }

  missingItemRange(): SourceRange {
    return this.#of.original.missingItemRange();
  }

  /** The schema with `dynamic` blocks, and with the attributes and blocks that earlier schemas have read, because the original body still has them. */
  #extended(schema: BodySchema): BodySchema {
    const taken: AttributeSchema[] = [...this.#hiddenAttributes].map((name) => ({ name }));
    return {
      attributes: [...(schema.attributes ?? []), ...taken],
      blocks: [...(schema.blocks ?? []), dynamicBlock, ...this.#hiddenBlocks.values()],
    };
  }

  #expanded(schema: BodySchema, raw: BodyResult, partial: boolean): BodyResult {
    const { iterators, marks } = this.#of;
    const diagnostics = [...raw.diagnostics];
    const attributes = new Map<string, Attribute>();
    for (const [name, attribute] of raw.content.attributes) {
      if (!this.#hiddenAttributes.has(name)) attributes.set(name, scopedAttribute(attribute, iterators, marks));
    }
    const blocks: Block[] = [];
    for (const block of raw.content.blocks) {
      if (block.type === dynamicBlock.type) this.#expandBlock(block, schema, partial, blocks, diagnostics);
      else if (!this.#hiddenBlocks.has(block.type)) blocks.push({ ...block, body: this.#nested(block.body, iterators, noMarks) });
    }
    return { content: { attributes, blocks, missingItemRange: this.missingItemRange() }, diagnostics };
  }

  #nested(original: Body, iterators: Iterators | undefined, marks: ReadonlySet<Mark>): Body {
    const { scope, checks, marksBlocks } = this.#of;
    // As in the Go library, each block has its own scope even without iterators. So strings of JSON in it are templates, even if there
    // is no outer scope.
    const inside = iterators === undefined ? createScope({}, scope) : scopeWith(iterators, scope);
    return new ExpandedBody({ original, scope: inside, checks, marksBlocks, iterators, marks });
  }

  #expandBlock(block: Block, schema: BodySchema, partial: boolean, blocks: Block[], diagnostics: Diagnostic[]): void {
    const { scope, checks, iterators } = this.#of;
    const type = block.labels[0]!;
    if (this.#hiddenBlocks.has(type)) return;
    const made = schema.blocks?.find((candidate) => candidate.type === type);
    if (made === undefined) {
      const detail = `Blocks of type ${quote(type)} are not expected here.`;
      if (!partial) diagnostics.push(errorAt("Unsupported block type", detail, block.labelRanges[0]!));
      return;
    }
    const spec = readDynamicSpec(block, made, scope, checks, diagnostics);
    if (spec === undefined) return;
    const [forEach, marks] = unmark(spec.forEach);
    if (!isKnown(forEach)) {
      const inside = withIterator(iterators, spec.iterator, unknownOfAnyType, unknownOfAnyType);
      const one = this.#generateBlock(block, spec, inside, marks, diagnostics);
      if (one !== undefined) blocks.push({ ...one, body: unknownBody(one.body, marks) });
      return;
    }
    for (const [key, value] of elements(forEach)) {
      const one = this.#generateBlock(block, spec, withIterator(iterators, spec.iterator, key, value), marks, diagnostics);
      if (one !== undefined) blocks.push(one);
    }
  }

  #generateBlock(
    { labels: [type], labelRanges: [typeRange], declarationRange }: Block,
    spec: DynamicSpec,
    iterators: Iterators,
    marks: ReadonlySet<Mark>,
    diagnostics: Diagnostic[],
  ): Block | undefined {
    const labels = labelTexts(spec.labels, scopeWith(iterators, this.#of.scope), diagnostics);
    if (labels === undefined) return undefined;
    const labelRanges = spec.labels.map(({ range }) => range);
    const body = this.#nested(spec.content, iterators, marks);
    return { type: type!, labels, body, declarationRange, typeRange: typeRange!, labelRanges };
  }
}
