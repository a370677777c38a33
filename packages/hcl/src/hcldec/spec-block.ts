// SPDX-License-Identifier: Apache-2.0
import { dynamic, hasDynamic, nullOf, type Type } from "@tenon/cty";
import type { Block, Body, BodySchema } from "../body/body.ts";
import { impliedType } from "../decode/implied-type.ts";
import type { BlockSequenceSpec, Spec } from "../decode/spec.ts";
import type { Scope } from "../syntax/scope.ts";
import { nullValue } from "../syntax/literal-values.ts";
import { errorAt, hasErrors, type Diagnostic } from "../syntax/diagnostic.ts";
import type { Expression } from "../syntax/expression.ts";
import type { SourceRange } from "../syntax/position.ts";
import { readTypeConstraint } from "../type-expression/type-expression.ts";
import { SpecArguments, type ArgumentNames } from "./spec-arguments.ts";

const specTypes = [
  "object",
  "array",
  "literal",
  "attr",
  "block",
  "block_list",
  "block_map",
  "block_set",
  "block_attrs",
  "default",
  "transform",
] as const;

const unlabelled: BodySchema = { blocks: specTypes.map((type) => ({ type })) };
/** Schema of specs in an object: the label is the name of the property, and the default name of the attribute or block type. */
const labelled: BodySchema = { blocks: specTypes.map((type) => ({ type, labelNames: ["key"] })) };

const noSpec: Spec = { kind: "literal", value: nullOf(dynamic) };

/** Reads the blocks of a spec file as specs. An invalid block is reported, and becomes a null literal. @see go cmd/hcldec spec.go */
export class SpecReading {
  readonly diagnostics: Diagnostic[] = [];
  /** Scope of expressions in literals and transforms. */
  readonly #scope: Scope;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Reads the only spec block of a body. @param needed Error text if there is none. */
  onlySpec(body: Body, needed: string): Spec {
    const [block, extraneous] = this.#specBlocks(body, unlabelled, needed);
    if (extraneous !== undefined) return this.#reportInvalid("Extraneous spec block", needed, extraneous.declarationRange);
    return block === undefined ? noSpec : this.#spec(block);
  }

  /** Reads the spec blocks of a body. @param needed Error text if there is none, if one is required. */
  #specBlocks(body: Body, schema: BodySchema, needed?: string): readonly Block[] {
    const { content, diagnostics } = body.content(schema);
    this.diagnostics.push(...diagnostics);
    // After other errors, a missing block is not reported.
    const isMissing = content.blocks.length === 0 && !hasErrors(diagnostics);
    if (isMissing && needed !== undefined) this.#reportInvalid("Missing spec block", needed, body.missingItemRange());
    return content.blocks;
  }

  #reportInvalid(summary: string, detail: string, subject: SourceRange): Spec {
    this.diagnostics.push(errorAt(summary, detail, subject));
    return noSpec;
  }

  #spec({ type, labels: [key = ""], body }: Block): Spec {
    switch (type) {
      case "object": {
        const blocks = this.#specBlocks(body, labelled);
        return { kind: "object", specs: Object.fromEntries(blocks.map((block) => [block.labels[0]!, this.#spec(block)])) };
      }
      case "array":
        return { kind: "tuple", specs: this.#specBlocks(body, unlabelled).map((block) => this.#spec(block)) };
      case "literal":
        return this.#literal(body);
      case "attr":
        return this.#attribute(body, key);
      case "block":
        return this.#block(body, key);
      case "block_list":
        return this.#blockSequence(body, key, "blockList");
      case "block_set":
        return this.#blockSequence(body, key, "blockSet");
      case "block_map":
        return this.#blockMap(body, key);
      case "block_attrs":
        return this.#blockAttributes(body, key);
      case "default":
        return this.#default(body);
      default:
        return this.#transform(body);
    }
  }

  /** Calls `read` with the arguments of a block; undefined if they have errors. */
  #with<Read>(body: Body, names: ArgumentNames, read: (given: SpecArguments) => Read): Read | undefined {
    const given = new SpecArguments(body, names);
    const made = given.areWrong ? undefined : read(given);
    this.diagnostics.push(...given.diagnostics);
    return given.areWrong ? undefined : made;
  }

  /** Reads a type expression; dynamic if there is none. */
  #type(expression: Expression | undefined): Type {
    if (expression === undefined) return dynamic;
    const { type, diagnostics } = readTypeConstraint(expression);
    this.diagnostics.push(...diagnostics);
    return type;
  }

  /** Reads the spec of the content of blocks. */
  #nested(body: Body): Spec {
    return this.onlySpec(body, "A block spec must have exactly one child spec specifying how to decode block contents.");
  }

  #noBlockType(of: string, body: Body): Spec {
    const detail = "The block_type attribute is required, to specify the block type name that is expected in an input HCL file.";
    return this.#reportInvalid(`Missing block_type in ${of} spec`, detail, body.missingItemRange());
  }

  #literal(body: Body): Spec {
    const value = this.#with(body, { required: ["value"], nested: false }, (given) => given.value("value", this.#scope));
    return value === undefined ? noSpec : { kind: "literal", value };
  }

  #attribute(body: Body, key: string): Spec {
    const read = this.#with(body, { optional: ["name", "type", "required"], nested: false }, (given) => {
      return { name: given.text("name") ?? key, required: given.flag("required") ?? false, type: given.expression("type") };
    });
    if (read === undefined) return noSpec;
    const type = this.#type(read.type);
    if (read.name !== "") return { kind: "attribute", ...read, type };
    const detail = "The name attribute is required, to specify the attribute name that is expected in an input HCL file.";
    return this.#reportInvalid("Missing name in attribute spec", detail, body.missingItemRange());
  }

  #block(body: Body, key: string): Spec {
    const read = this.#with(body, { optional: ["block_type", "required"], nested: true }, (given) => {
      return { type: given.text("block_type") ?? key, required: given.flag("required") ?? false, rest: given.rest };
    });
    if (read === undefined) return noSpec;
    const { type, required, rest } = read;
    const nested = this.#nested(rest);
    return type === "" ? this.#noBlockType("block", body) : { kind: "block", type, required, nested };
  }

  #blockSequence(body: Body, key: string, kind: BlockSequenceSpec["kind"]): Spec {
    const read = this.#with(body, { optional: ["block_type", "min_items", "max_items"], nested: true }, (given) => {
      const [min = 0, max = 0] = [given.count("min_items"), given.count("max_items")];
      return { type: given.text("block_type") ?? key, min, max, rest: given.rest };
    });
    if (read === undefined) return noSpec;
    const { type, min, max, rest } = read;
    const nested = this.#nested(rest);
    return type === "" ? this.#noBlockType(kind === "blockSet" ? "block_set" : "block_list", body) : { kind, type, min, max, nested };
  }

  #blockMap(body: Body, key: string): Spec {
    const read = this.#with(body, { required: ["labels"], optional: ["block_type"], nested: true }, (given) => {
      return { type: given.text("block_type") ?? key, labels: given.texts("labels") ?? [], rest: given.rest };
    });
    if (read === undefined) return noSpec;
    const { type, labels, rest } = read;
    const nested = this.#nested(rest);
    if (type === "") return this.#noBlockType("block_map", body);
    if (labels.length === 0) {
      return this.#reportInvalid(
        "Invalid block label name list",
        "A block_map must have at least one label specified.",
        body.missingItemRange(),
      );
    }
    if (!hasDynamic(impliedType(nested))) return { kind: "blockMap", type, labels, nested };
    const detail = "A block_map spec may not contain attributes with type 'any'.";
    return this.#reportInvalid("Invalid block_map spec", detail, body.missingItemRange());
  }

  #blockAttributes(body: Body, key: string): Spec {
    const read = this.#with(body, { optional: ["block_type", "element_type", "required"], nested: false }, (given) => {
      const required = given.flag("required") ?? false;
      return { type: given.text("block_type") ?? key, required, elementType: given.expression("element_type") };
    });
    if (read === undefined) return noSpec;
    const { type, required } = read;
    const elementType = this.#type(read.elementType);
    return type === "" ? this.#noBlockType("block_attrs", body) : { kind: "blockAttributes", type, required, elementType };
  }

  #default(body: Body): Spec {
    const needed = "A default block must have at least one nested spec, each specifying a possible outcome.";
    const blocks = this.#specBlocks(body, unlabelled, needed);
    const [only, second] = blocks;
    if (only !== undefined && second === undefined) {
      const detail = "A default block with only one spec is equivalent to using that spec alone.";
      this.diagnostics.push({ severity: "warning", summary: "Useless default block", detail, subject: only.declarationRange });
    }
    const specs = blocks.map((block) => this.#spec(block));
    return specs.length === 0 ? noSpec : specs.reduce((primary, fallback) => ({ kind: "default", primary, default: fallback }));
  }

  #transform(body: Body): Spec {
    const read = this.#with(body, { optional: ["result"], nested: true }, (given) => {
      return { expression: given.expression("result"), rest: given.rest };
    });
    if (read === undefined) return noSpec;
    const { content, diagnostics } = read.rest.content(unlabelled);
    this.diagnostics.push(...diagnostics);
    const [block, ...others] = content.blocks;
    if (block === undefined || others.length > 0) {
      if (hasErrors(diagnostics)) return noSpec;
      return this.#reportInvalid(
        "Invalid transform spec",
        "A transform spec block must have exactly one nested spec block.",
        body.missingItemRange(),
      );
    }
    const expression: Expression = read.expression ?? { kind: "literal", value: nullValue, range: body.missingItemRange() };
    return { kind: "transformExpression", wrapped: this.#spec(block), expression, scope: this.#scope, variable: "nested" };
  }
}
