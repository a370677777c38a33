// SPDX-License-Identifier: Apache-2.0
import { isCollectionType, isPrimitiveType, listOf, type ObjectType, type Type, type Value } from "@tenon/cty";
import { unifyUnsafe } from "@tenon/cty/convert";
import type { Attribute, Block, Body, BodyContent, BodyResult, BodySchema } from "../body/body.ts";
import { unknownOfAnyType } from "../evaluate/evaluator.ts";
import type { Scope } from "../syntax/scope.ts";
import { errorAt, type Diagnostic } from "../syntax/diagnostic.ts";
import type { SourceRange } from "../syntax/position.ts";
import { decode, type Decoding } from "./decode.ts";
import { specFunctions, specVariables } from "./spec-variables.ts";
import type { Spec } from "./spec.ts";

/** Types of the attributes of a body, and of its blocks, at any depth. */
export interface AmbiguousSchema {
  readonly attributes: Readonly<Record<string, Type>>;
  readonly blocks?: Readonly<Record<string, AmbiguousSchema>>;
}

/**
 * A body in which blocks can stand for attributes that are lists or sets of objects. Providers of the legacy SDK need this: their schemas
 * have attributes where configurations use blocks. Such a name is read as blocks unless it is set as an attribute. Expand `dynamic` blocks
 * first; for references before the expansion, see {@link withBlocksForAttributes}.
 *
 * With a schema that no legacy provider can have (tuples, objects, maps of objects, nested collections of non-primitive types) the body is
 * returned unchanged.
 *
 * @see OpenTofu blocktoattr.FixUpBlockAttrs
 */
export function blocksAsAttributes(body: Body, schema: AmbiguousSchema): Body {
  let applies = ambiguous.get(schema);
  if (applies === undefined) ambiguous.set(schema, (applies = isLegacySchema(schema) && hasAmbiguousNames(schema)));
  return applies ? new BodyWithBlocksAsAttributes(body, schema) : body;
}

/** Whether a provider of the legacy SDK can have a schema, so that {@link blocksAsAttributes} reads bodies in its way. */
export function isLegacySchema(schema: AmbiguousSchema): boolean {
  let isLegacy = legacy.get(schema);
  if (isLegacy === undefined) legacy.set(schema, (isLegacy = !isModern(schema)));
  return isLegacy;
}

const legacy = new WeakMap<AmbiguousSchema, boolean>();

/** Whether bodies of a schema are read in another way because of it. */
const ambiguous = new WeakMap<AmbiguousSchema, boolean>();

function hasAmbiguousNames(schema: AmbiguousSchema): boolean {
  return ambiguousElements(schema).size > 0 || Object.values(schema.blocks ?? {}).some(hasAmbiguousNames);
}

function isModern({ attributes, blocks = {} }: AmbiguousSchema): boolean {
  return Object.values(attributes).some(isModernType) || Object.values(blocks).some(isModern);
}

function isModernType(type: Type): boolean {
  if (type.kind === "tuple" || type.kind === "object") return true;
  if (!isCollectionType(type)) return false;
  const { element } = type;
  if (type.kind === "map" && element.kind === "object") return true;
  return isCollectionType(element) && !isPrimitiveType(element.element);
}

/** Names that can be attributes or blocks, with the types of their elements. */
function ambiguousElements({ attributes }: AmbiguousSchema): ReadonlyMap<string, ObjectType> {
  const elements = new Map<string, ObjectType>();
  for (const [name, type] of Object.entries(attributes)) {
    const element = ambiguousElement(type);
    if (element !== undefined) elements.set(name, element);
  }
  return elements;
}

/**
 * Adds blocks to a spec beside the attributes that they can stand for, for finding references in a body before the expansion of `dynamic`
 * blocks. The result is not suitable for decoding.
 *
 * @see OpenTofu blocktoattr.ExpandedVariables
 *
 * @example
 * dynamicVariables(body, withBlocksForAttributes(spec))
 */
export function withBlocksForAttributes(spec: Spec): Spec {
  switch (spec.kind) {
    case "object":
      return { ...spec, specs: Object.fromEntries(Object.entries(spec.specs).map(([name, one]) => [name, withBlocksForAttributes(one)])) };
    case "tuple":
      return { ...spec, specs: spec.specs.map(withBlocksForAttributes) };
    case "attribute": {
      const element = ambiguousElement(spec.type);
      if (element === undefined) return spec;
      const nested = withBlocksForAttributes(specOf(element));
      return { kind: "tuple", specs: [spec, { kind: "blockTuple", type: spec.name, nested }] };
    }
    case "default":
      return { ...spec, primary: withBlocksForAttributes(spec.primary), default: withBlocksForAttributes(spec.default) };
    default:
      if ("nested" in spec) return { ...spec, nested: withBlocksForAttributes(spec.nested) };
      return "wrapped" in spec ? { ...spec, wrapped: withBlocksForAttributes(spec.wrapped) } : spec;
  }
}

/** Element type of an attribute that blocks can stand for; undefined for other types. */
function ambiguousElement(type: Type): ObjectType | undefined {
  return (type.kind === "list" || type.kind === "set") && type.element.kind === "object" ? type.element : undefined;
}

class BodyWithBlocksAsAttributes implements Body {
  readonly #original: Body;
  readonly #schema: AmbiguousSchema;
  readonly #elements: ReadonlyMap<string, ObjectType>;
  readonly unknown?: boolean;
  readonly marks?: NonNullable<Body["marks"]>;

  constructor(original: Body, schema: AmbiguousSchema) {
    this.#original = original;
    this.#schema = schema;
    this.#elements = ambiguousElements(schema);
    if (original.unknown !== undefined) this.unknown = original.unknown;
    if (original.marks !== undefined) this.marks = original.marks;
  }

  content(schema: BodySchema): BodyResult {
    const { content, diagnostics } = this.#original.content(this.#schemaWithBlocks(schema));
    return { content: this.#withAttributes(content), diagnostics };
  }

  partialContent(schema: BodySchema): BodyResult & { readonly remain: Body } {
    const { content, diagnostics, remain } = this.#original.partialContent(this.#schemaWithBlocks(schema));
    return { content: this.#withAttributes(content), diagnostics, remain: new BodyWithBlocksAsAttributes(remain, this.#schema) };
  }

  justAttributes(): { readonly attributes: ReadonlyMap<string, Attribute>; readonly diagnostics: readonly Diagnostic[] } {
    return this.#original.justAttributes();
  }

  missingItemRange(): SourceRange {
    return this.#original.missingItemRange();
  }

  /** The schema with blocks in place of the ambiguous attributes that are not set as attributes. */
  #schemaWithBlocks({ attributes = [], blocks = [] }: BodySchema): BodySchema {
    const asBlocks = attributes.filter(({ name }) => this.#elements.has(name) && !this.#isSet(name));
    if (asBlocks.length === 0) return { attributes, blocks };
    return {
      attributes: attributes.filter((attribute) => !asBlocks.includes(attribute)),
      blocks: [...asBlocks.map(({ name }) => ({ type: name })), ...blocks],
    };
  }

  #isSet(name: string): boolean {
    return this.#original.partialContent({ attributes: [{ name }] }).content.attributes.has(name);
  }

  #withAttributes(content: BodyContent): BodyContent {
    const gathered = new Map<string, Block[]>();
    const blocks: Block[] = [];
    for (const block of content.blocks) {
      const nested = this.#schema.blocks?.[block.type];
      if (this.#elements.has(block.type)) gathered.set(block.type, [...(gathered.get(block.type) ?? []), block]);
      else blocks.push(nested === undefined ? block : { ...block, body: blocksAsAttributes(block.body, nested) });
    }
    const attributes = new Map(content.attributes);
    for (const [name, several] of gathered) attributes.set(name, attributeOf(name, several, this.#elements.get(name)!));
    return { ...content, attributes, blocks };
  }
}

/** Several blocks as one attribute, with the range of the first block. */
function attributeOf(name: string, blocks: readonly Block[], element: ObjectType): Attribute {
  const { declarationRange: range, typeRange: nameRange } = blocks[0]!;
  const spec = specOf(element);
  const bodies = blocks.map(({ body }) => blocksAsAttributes(body, element));
  return {
    name,
    expression: {
      kind: "derived",
      evaluate: (scope) => valueOf(name, bodies, range, spec, scope),
      variables: () => bodies.flatMap((body) => specVariables(body, spec)),
      calledFunctions: () => bodies.flatMap((body) => specFunctions(body, spec)),
      range,
    },
    nameRange,
    range,
  };
}

/** Spec for an element type. All attributes are optional; the provider reports missing ones. */
function specOf(element: ObjectType): Spec {
  const specs = Object.create(null) as Record<string, Spec>;
  for (const name of element.names) specs[name] = { kind: "attribute", name, type: element.attributes[name]! };
  return { kind: "object", specs };
}

function valueOf(name: string, bodies: readonly Body[], range: SourceRange, spec: Spec, scope: Scope | undefined): Decoding {
  const decoded = bodies.map((body) => decode(body, spec, scope));
  const diagnostics = decoded.flatMap((one) => one.diagnostics);
  const values: readonly Value[] = decoded.map(({ value }) => value);
  const common = unifyUnsafe(values.map(({ type }) => type));
  if (common !== undefined)
    return { value: listOf(values.map((value, index) => common.conversions[index]?.(value) ?? value)), diagnostics };
  const detail = "Corresponding attributes in all blocks of this type must be the same.";
  const problem = errorAt(`Inconsistent argument types in ${name} blocks`, detail, range);
  return { value: unknownOfAnyType, diagnostics: [...diagnostics, problem] };
}
