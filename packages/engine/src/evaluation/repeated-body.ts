// SPDX-License-Identifier: Apache-2.0
import { get, type Value } from "@tenon/cty";
import type { Body, Expression } from "@tenon/hcl";
import { calledFunctions, variables } from "@tenon/hcl/analysis";
import type { Attribute, BodyContent, BodyResult, BodySchema } from "@tenon/hcl/body";
import { blocksAsAttributes, impliedSchema } from "@tenon/hcl/decode";
import { rootName } from "@tenon/hcl/syntax";
import type { Block } from "@tenon/schema";
import { ambiguousSchema, decoderSpec } from "./decoder-spec.ts";

/** Functions that return different values for the same arguments, and functions whose templates can call such functions. */
const variableFunctions: ReadonlySet<string> = new Set(["bcrypt", "templatefile", "templatestring", "timestamp", "uuid"]);
const dynamicBlock = { type: "dynamic", labelNames: ["type"] };
const repetitionNames: ReadonlySet<string | undefined> = new Set(["count", "each", "self"]);

/**
 * The body of a repeated block in one module instance. Attributes whose values are the same for all instances of the block are evaluated only
 * for the first instance. For the others, the body has literals in their place.
 */
export class RepeatedBody implements Body {
  readonly #original: Body;
  readonly #schema: Block;
  /** Attributes with a literal in place of their expression, by name; undefined until the first instance is decoded without errors. */
  #literals: ReadonlyMap<string, Attribute> | undefined;
  #hasOnlyAttributes = false;
  #latest: { readonly schema: BodySchema; readonly result: BodyResult } | undefined;

  constructor(original: Body, schema: Block) {
    this.#original = original;
    this.#schema = schema;
  }

  /** Whether this is the body for decoding by a schema. */
  isFor(schema: Block): boolean {
    return this.#schema === schema;
  }

  /** Whether the body is known to have no blocks, not even `dynamic` ones, so that nothing in it has to be expanded. */
  get hasOnlyAttributes(): boolean {
    return this.#hasOnlyAttributes;
  }

  /** Takes the values that all instances have in common from the decoded value of the first one. */
  learn(decoded: Value): void {
    if (this.#literals !== undefined || decoded.type.kind !== "object") return;
    const schema = impliedSchema(decoderSpec(this.#schema));
    const { content } = this.#original.partialContent({ ...schema, blocks: [...(schema.blocks ?? []), dynamicBlock] });
    const isUnambiguous = blocksAsAttributes(this.#original, ambiguousSchema(this.#schema)) === this.#original;
    this.#hasOnlyAttributes = isUnambiguous && content.blocks.length === 0;
    const constant = [...content.attributes].filter(([, { expression }]) => isConstant(expression));
    this.#literals = new Map(
      constant.map(([name, attribute]) => {
        const { range } = attribute.expression;
        return [name, { ...attribute, expression: { kind: "literal", value: get(decoded, name), range } }];
      }),
    );
  }

  content(schema: BodySchema): BodyResult {
    if (this.#latest?.schema === schema) return this.#latest.result;
    const { content, diagnostics } = this.#original.content(schema);
    const result = { content: this.#withLiterals(content), diagnostics };
    if (this.#literals !== undefined) this.#latest = { schema, result };
    return result;
  }

  partialContent(schema: BodySchema): BodyResult & { readonly remain: Body } {
    const { content, diagnostics, remain } = this.#original.partialContent(schema);
    return { content: this.#withLiterals(content), diagnostics, remain };
  }

  justAttributes(): ReturnType<Body["justAttributes"]> {
    return this.#original.justAttributes();
  }

  missingItemRange(): ReturnType<Body["missingItemRange"]> {
    return this.#original.missingItemRange();
  }

  #withLiterals(content: BodyContent): BodyContent {
    const literals = this.#literals;
    if (literals === undefined || literals.size === 0) return content;
    return { ...content, attributes: new Map([...content.attributes].map(([name, one]) => [name, literals.get(name) ?? one])) };
  }
}

/** Whether an expression has the same value for all instances of a block. */
function isConstant(expression: Expression): boolean {
  return (
    !variables(expression).some((traversal) => repetitionNames.has(rootName(traversal))) &&
    !calledFunctions(expression).some(({ name }) => name.startsWith("provider::") || variableFunctions.has(name.replace(/^core::/, "")))
  );
}
