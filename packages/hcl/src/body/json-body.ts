// SPDX-License-Identifier: Apache-2.0
import { goQuote as quote } from "@tenon/cty/unstable/payload";
import { errorAt, type Diagnostic } from "../syntax/diagnostic.ts";
import type { JsonMember, JsonNode } from "../syntax/json.ts";
import type { SourceRange } from "../syntax/position.ts";
import { formatRange, rangeBetween } from "../syntax/range.ts";
import { didYouMean, similarName } from "../syntax/suggestion.ts";
import type { Attribute, Block, BlockSchema, Body, BodyResult, BodySchema } from "./body.ts";
import { missingArgument } from "./native-body.ts";

/** Name of members that are comments in the object of a body. */
const comment = "//";

/** A body of the JSON syntax, without the names that earlier schemas have read. @see json.body */
class JsonBody implements Body {
  readonly #node: JsonNode;
  /** Names that earlier schemas have read. */
  readonly #hidden: ReadonlySet<string>;

  constructor(node: JsonNode, hidden: ReadonlySet<string>) {
    this.#node = node;
    this.#hidden = hidden;
  }

  content(schema: BodySchema): BodyResult {
    const { content, diagnostics, remain } = this.#partialContent(schema);
    const attributeNames = (schema.attributes ?? []).map(({ name }) => name).filter((name) => !remain.#hidden.has(name));
    const names = [...attributeNames, ...(schema.blocks ?? []).map(({ type }) => type)];
    const found = deepMembers(this.#node);
    const unexpected = found.members
      .filter(({ name }) => name !== comment && !remain.#hidden.has(name))
      .map(({ name, nameRange }) => {
        const detail = `No argument or block type is named ${quote(name)}.${didYouMean(similarName(name, names))}`;
        return errorAt("Extraneous JSON object property", detail, nameRange, nameRange);
      });
    return { content, diagnostics: [...diagnostics, ...found.diagnostics, ...unexpected] };
  }

  partialContent(schema: BodySchema): BodyResult & { readonly remain: Body } {
    return this.#partialContent(schema);
  }

  #partialContent(schema: BodySchema): BodyResult & { readonly remain: JsonBody } {
    const found = deepMembers(this.#node);
    const diagnostics: Diagnostic[] = [...found.diagnostics];
    const attributes = new Map<string, Attribute>();
    const blocks: Block[] = [];
    const used = new Set(this.#hidden);
    const attributeNames = new Set((schema.attributes ?? []).map(({ name }) => name));
    const blockSchemas = new Map((schema.blocks ?? []).map((block) => [block.type, block]));
    for (const member of found.members) {
      const { name } = member;
      if (this.#hidden.has(name)) continue;
      const blockSchema = blockSchemas.get(name);
      if (attributeNames.has(name)) {
        const existing = attributes.get(name);
        if (existing !== undefined) {
          const detail = `The argument ${quote(name)} was already set at ${formatRange(existing.range)}.`;
          diagnostics.push(errorAt("Duplicate argument", detail, member.nameRange, member.nameRange));
          continue;
        }
        attributes.set(name, attributeOf(member));
        used.add(name);
      } else if (blockSchema !== undefined) {
        new BlockUnpacking(blockSchema, member.nameRange, blocks, diagnostics).unpack(member.value, 0, [], []);
        used.add(name);
      }
    }
    for (const { name, required } of schema.attributes ?? []) {
      if (required && !attributes.has(name)) diagnostics.push(missingArgument(name, this.missingItemRange()));
    }
    const content = { attributes, blocks, missingItemRange: this.missingItemRange() };
    return { content, diagnostics, remain: new JsonBody(this.#node, used) };
  }

  justAttributes(): { readonly attributes: ReadonlyMap<string, Attribute>; readonly diagnostics: readonly Diagnostic[] } {
    const attributes = new Map<string, Attribute>();
    if (this.#node.kind !== "jsonObject") {
      const detail = "A JSON object is required here, setting the arguments for this block.";
      return { attributes, diagnostics: [errorAt("Incorrect JSON value type", detail, startOf(this.#node))] };
    }
    const diagnostics: Diagnostic[] = [];
    for (const member of this.#node.members) {
      if (member.name === comment || this.#hidden.has(member.name)) continue;
      const existing = attributes.get(member.name);
      if (existing === undefined) {
        attributes.set(member.name, attributeOf(member));
      } else {
        const detail = `The argument ${quote(member.name)} was already set at ${formatRange(existing.range)}.`;
        diagnostics.push(errorAt("Duplicate attribute definition", detail, member.nameRange));
      }
    }
    return { attributes, diagnostics };
  }

  missingItemRange(): SourceRange {
    return this.#node.kind === "jsonObject" ? this.#node.closeRange : startOf(this.#node);
  }
}

/** A body of the JSON syntax. */
export function jsonBody(node: JsonNode): Body {
  return new JsonBody(node, new Set());
}

function attributeOf({ name, value, nameRange }: JsonMember): Attribute {
  return { name, expression: { kind: "json", node: value, range: value.range }, nameRange, range: rangeBetween(nameRange, value.range) };
}

function startOf(node: JsonNode): SourceRange {
  return "openRange" in node ? node.openRange : node.range;
}

/**
 * The members of an object, or of all objects of an array, in order. `label` is the name of the label that the member names are, if they
 * are labels of a block.
 */
function deepMembers(
  node: JsonNode,
  label?: string,
): { readonly members: readonly JsonMember[]; readonly diagnostics: readonly Diagnostic[] } {
  const purpose = label === undefined ? "to define arguments and child blocks" : `to specify ${label} labels for this block`;
  if (node.kind === "jsonNull") return { members: [], diagnostics: [] };
  if (node.kind === "jsonObject") return { members: node.members, diagnostics: [] };
  if (node.kind !== "jsonArray") {
    const detail = `Either a JSON object or JSON array of objects is required here, ${purpose}.`;
    return { members: [], diagnostics: [errorAt("Incorrect JSON value type", detail, startOf(node))] };
  }
  const members: JsonMember[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const element of node.elements) {
    if (element.kind === "jsonObject") members.push(...element.members);
    else diagnostics.push(errorAt("Incorrect JSON value type", `A JSON object is required here, ${purpose}.`, startOf(element)));
  }
  return { members, diagnostics };
}

/** Finds the blocks of one type, in objects nested by their labels. */
class BlockUnpacking {
  readonly #schema: BlockSchema;
  readonly #typeRange: SourceRange;
  readonly #blocks: Block[];
  readonly #diagnostics: Diagnostic[];

  constructor(schema: BlockSchema, typeRange: SourceRange, blocks: Block[], diagnostics: Diagnostic[]) {
    this.#schema = schema;
    this.#typeRange = typeRange;
    this.#blocks = blocks;
    this.#diagnostics = diagnostics;
  }

  unpack(node: JsonNode, depth: number, labels: readonly string[], labelRanges: readonly SourceRange[]): void {
    const { type, labelNames = [] } = this.#schema;
    const label = labelNames[depth];
    if (label !== undefined) {
      this.#unpackLabels(node, depth, label, labels, labelRanges);
    } else if (node.kind === "jsonObject") {
      this.#add(node, node, labels, labelRanges);
    } else if (node.kind === "jsonArray") {
      for (const element of node.elements) this.#add(element, node, labels, labelRanges);
    } else if (node.kind !== "jsonNull") {
      const detail = `Either a JSON object or a JSON array is required, representing the contents of one or more ${quote(type)} blocks.`;
      this.#diagnostics.push(errorAt("Incorrect JSON value type", detail, startOf(node)));
    }
  }

  #unpackLabels(node: JsonNode, depth: number, label: string, labels: readonly string[], labelRanges: readonly SourceRange[]): void {
    const { members, diagnostics } = deepMembers(node, label);
    this.#diagnostics.push(...diagnostics);
    if (members.length === 0) {
      const detail = `At least one object property is required, whose name represents the ${this.#schema.type} block's ${label}.`;
      this.#diagnostics.push(errorAt("Missing block label", detail, startOf(node)));
    }
    for (const { name, nameRange, value } of members) this.unpack(value, depth + 1, [...labels, name], [...labelRanges, nameRange]);
  }

  #add(content: JsonNode, declared: JsonNode, labels: readonly string[], labelRanges: readonly SourceRange[]): void {
    this.#blocks.push({
      type: this.#schema.type,
      labels,
      body: jsonBody(content),
      declarationRange: startOf(declared),
      typeRange: this.#typeRange,
      labelRanges,
    });
  }
}
