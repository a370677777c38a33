// SPDX-License-Identifier: Apache-2.0
import { dynamic, objectOf, same, tupleOf, type Path, type Type, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { isUnknownPayload, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { attributeType, impliedType, nestedBlockType, type Attribute, type Block, type NestedBlock } from "@tenon/schema";

/** Attributes and blocks: of a block, or of a nested attribute, which has no blocks. */
export interface Body {
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly blocks?: Readonly<Record<string, NestedBlock>>;
}

/** An attribute or a nested block in a body. */
export type BodyPart = {
  readonly type: Type;
  /** Names of the attributes and blocks that lead to it: `layout.paper`. */ readonly at: string;
} & ({ readonly attribute: Attribute; readonly block?: undefined } | { readonly attribute?: undefined; readonly block: NestedBlock });

/** Returns the attributes and blocks of a body by name. @param within - names that lead to the body */
export function partsOfBody({ attributes, blocks = {} }: Body, within: string): readonly (readonly [name: string, part: BodyPart])[] {
  const prefix = within === "" ? "" : `${within}.`;
  return [
    ...Object.entries(attributes).map(
      ([name, attribute]) => [name, { attribute, type: attributeType(attribute), at: prefix + name }] as const,
    ),
    ...Object.entries(blocks).map(([name, block]) => [name, { block, type: nestedBlockType(block), at: prefix + name }] as const),
  ];
}

/** A body inside a part, and how often it occurs there. */
export interface Inside {
  readonly body: Body;
  readonly nesting: NestedBlock["nesting"];
  /** Minimum number of elements of a repeated block. */
  readonly minItems: number;
}

/** Returns the body inside a part, and its nesting; undefined for an attribute without nested attributes. */
export function bodyInside({ attribute, block }: BodyPart): Inside | undefined {
  if (block !== undefined) return { body: block.block, nesting: block.nesting, minItems: block.minItems };
  return attribute.nested && { body: attribute.nested, nesting: attribute.nested.nesting, minItems: 0 };
}

/** The elements of a nested part, by key for a map. */
export type Elements = readonly (readonly [key: string, element: Value])[];

/** Builds the value of a nested part from its elements. */
export function nestedValue({ nesting }: Pick<Inside, "nesting">, type: Type, elements: Elements): Value {
  if (nesting === "single" || nesting === "group") return convert(elements[0]![1], type);
  if (nesting === "map") {
    const entries = new Map(elements);
    if (type.kind === "dynamic") return objectOf(entries);
    return entries.size === 0 ? valueOf(type, new Map()) : convert(objectOf(entries), type);
  }
  const values = elements.map(([, element]) => element);
  if (type.kind === "dynamic") return tupleOf(values);
  return values.length === 0 ? valueOf(type, []) : convert(tupleOf(values), type);
}

/** Chooses which elements of a nested part stay, and their order. */
export type Arrangement = (inside: Inside, elements: Elements) => Elements;

/**
 * Keeps the elements of a set that differ in a required attribute, and all elements of other parts: others may be equal once the provider has
 * filled in defaults, which many providers refuse.
 */
export function distinctElements({ nesting, body }: Inside, elements: Elements): Elements {
  if (nesting !== "set") return elements;
  const required = Object.entries(body.attributes).flatMap(([name, attribute]) => (attribute.required ? [name] : []));
  const isLike = (one: Value, other: Value): boolean => required.every((name) => same(attributeOf(one, name), attributeOf(other, name)));
  return elements.filter(
    ([, one], index) => !hasContent(one) || !elements.slice(0, index).some(([, other]) => hasContent(other) && isLike(one, other)),
  );
}

/** Whether a value is known and not null. */
export function hasContent({ payload }: Value): boolean {
  return payload !== null && !isUnknownPayload(payload);
}

/** Returns an attribute of a known object. */
export function attributeOf({ type, payload }: Value, name: string): Value {
  if (type.kind !== "object" || !Array.isArray(payload)) throw new TypeError(`a value without attributes has no ${name}`);
  return valueOf(type.attributes[name]!, (payload as readonly Payload[])[type.slots.get(name)!]!);
}

/** Returns the elements of a nested part by key; the only element of a part that is not repeated. */
export function elementsOf(nesting: NestedBlock["nesting"], value: Value): Elements {
  const { type, payload } = value;
  if (nesting === "single" || nesting === "group") return [["", value]];
  if (type.kind === "object") return type.names.map((name) => [name, attributeOf(value, name)]);
  if (payload instanceof Map && type.kind === "map") {
    return [...(payload as ReadonlyMap<string, Payload>)].map(([key, element]) => [key, valueOf(type.element, element)]);
  }
  const typeAt = (index: number): Type =>
    type.kind === "tuple" ? type.elements[index]! : type.kind === "list" || type.kind === "set" ? type.element : dynamic;
  return (payload as readonly Payload[]).map((element, index) => [String(index), valueOf(typeAt(index), element)]);
}

/** Returns the value of a part in place of the given one. `inside` maps the bodies inside it. */
export type PartMapping = (part: BodyPart, value: Value, inside: () => Value) => Value;

/** Maps the attributes and blocks of a value of a block, at every depth. @param arrange - which of the mapped elements stay */
export function mapBlock(block: Block, value: Value, map: PartMapping, arrange: Arrangement = distinctElements): Value {
  return hasContent(value) ? convert(mapBody(block, value, { map, arrange }, ""), impliedType(block)) : value;
}

interface Mapping {
  readonly map: PartMapping;
  readonly arrange: Arrangement;
}

function mapBody(body: Body, value: Value, mapping: Mapping, within: string): Value {
  if (!hasContent(value)) return value;
  const parts = new Map<string, Value>();
  for (const [name, part] of partsOfBody(body, within)) {
    const before = attributeOf(value, name);
    parts.set(
      name,
      mapping.map(part, before, () => mapInside(part, before, mapping)),
    );
  }
  return objectOf(parts);
}

function mapInside(part: BodyPart, value: Value, mapping: Mapping): Value {
  const inside = bodyInside(part);
  if (inside === undefined || !hasContent(value)) return value;
  const mapped = elementsOf(inside.nesting, value).map(([key, element]) => [key, mapBody(inside.body, element, mapping, part.at)] as const);
  return nestedValue(inside, part.type, mapping.arrange(inside, mapped));
}

/** Returns the names of the attributes and blocks on a path, as {@link BodyPart} has them: steps to elements are left out. */
export function namesOnPath(path: Path): string {
  return path.flatMap((step) => (step.kind === "attribute" ? [step.name] : [])).join(".");
}
