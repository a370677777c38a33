// SPDX-License-Identifier: Apache-2.0
import type { Attribute, Block, IdentitySchema, NestedAttributes, NestedBlock } from "@tenon/schema";
import { objectText, orNull, type Member } from "./source-text.ts";
import { arrayText, recordText, valueTypeText } from "./value-type.ts";

type Body = Pick<Block, "attributes"> & Partial<Pick<Block, "blocks">>;

/** The type of a configuration, without attributes that only the provider sets. */
export function configText(body: Body, depth: number): string {
  const attributes = Object.entries(body.attributes).flatMap(([name, attribute]): Member[] => {
    const { required, optional } = attribute;
    if (!required && !optional) return [];
    const type = attributeText(attribute, depth + 1, configText);
    return [
      {
        name,
        optional: !required,
        type: required || type === "unknown" ? type : `${orNull(type)} | undefined`,
        doc: attributeDoc(attribute),
      },
    ];
  });
  const blocks = Object.entries(body.blocks ?? {}).map(([name, nested]): Member => {
    const type = nestedBlockText(nested, depth + 1, configText);
    const required = nested.minItems > 0;
    const absent = nested.nesting === "single" ? " | null | undefined" : " | undefined";
    return { name, optional: !required, type: required ? type : `${type}${absent}`, doc: blockDoc(nested.block) };
  });
  return objectText(inOrder([...attributes, ...blocks]), depth);
}

/** The type of a state. */
export function stateText(body: Body, depth: number): string {
  const attributes = Object.entries(body.attributes).map(([name, attribute]): Member => {
    const type = attribute.writeOnly ? "null" : attributeText(attribute, depth + 1, stateText);
    return { name, optional: false, type: attribute.required && !attribute.writeOnly ? type : orNull(type), doc: attributeDoc(attribute) };
  });
  const blocks = Object.entries(body.blocks ?? {}).map(([name, nested]): Member => {
    const type = nestedBlockText(nested, depth + 1, stateText);
    const mayBeAbsent = nested.nesting === "single" && nested.minItems === 0;
    return { name, optional: false, type: mayBeAbsent ? orNull(type) : type, doc: blockDoc(nested.block) };
  });
  return objectText(inOrder([...attributes, ...blocks]), depth);
}

/** The type of an identity, complete or as an argument of an import. */
export function identityText({ attributes }: IdentitySchema, depth: number): string {
  const members = Object.entries(attributes).map(([name, { type, requiredForImport, description }]): Member => {
    const text = valueTypeText(type, depth + 1);
    return { name, optional: !requiredForImport, type: requiredForImport ? text : `${orNull(text)} | undefined`, doc: [description] };
  });
  return objectText(inOrder(members), depth);
}

type BodyText = (body: Body, depth: number) => string;

function attributeText(attribute: Attribute, depth: number, bodyText: BodyText): string {
  const { nested, type } = attribute;
  if (nested) return inNesting(nested, orNull(bodyText(nested, depth)), bodyText(nested, depth));
  return type === undefined ? "unknown" : valueTypeText(type, depth);
}

function nestedBlockText(nested: NestedBlock, depth: number, bodyText: BodyText): string {
  const body = bodyText(nested.block, depth);
  return inNesting(nested, body, body);
}

function inNesting({ nesting }: Pick<NestedAttributes, "nesting"> | Pick<NestedBlock, "nesting">, element: string, single: string): string {
  switch (nesting) {
    case "list":
    case "set":
      return arrayText(element);
    case "map":
      return recordText(element);
    default:
      return single;
  }
}

function attributeDoc(attribute: Attribute): readonly string[] {
  const { description, sensitive, writeOnly } = attribute;
  const secret = writeOnly ? "Write-only: its value is never stored in a plan or a state." : sensitive ? "Sensitive." : "";
  return [description, secret, deprecation(attribute)];
}

/** The docstring of a block. */
export function blockDoc(block: Block): readonly string[] {
  return [block.description, deprecation(block)];
}

function deprecation({ deprecated, deprecationMessage }: Pick<Block, "deprecated" | "deprecationMessage">): string {
  return deprecated || deprecationMessage !== "" ? `@deprecated ${deprecationMessage}`.trimEnd() : "";
}

function inOrder(members: readonly Member[]): readonly Member[] {
  return members.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
