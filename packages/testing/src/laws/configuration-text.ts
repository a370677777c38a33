// SPDX-License-Identifier: Apache-2.0
import { isKnown, type Type, type Value } from "@tenon/cty";
import { numberText, type NumberPayload, type Payload, valueOf } from "@tenon/cty/unstable/payload";
import { impliedType, type Block } from "@tenon/schema";
import { attributeOf, bodyInside, elementsOf, hasContent, partsOfBody, type Body } from "../generate/body.ts";

/** Writes a configuration as a block of the language. Sensitive values are hidden; what is not set is left out. */
export function configurationText(typeName: string, block: Block, config: Value): string {
  const lines = config.type === impliedType(block) ? bodyLines(block, config) : [];
  return [`resource ${JSON.stringify(typeName)} "a" {`, ...lines.map((line) => `  ${line}`), "}"].join("\n");
}

function bodyLines(body: Body, value: Value): readonly string[] {
  if (!hasContent(value)) return [];
  return partsOfBody(body, "").flatMap(([name, part]) => {
    const inner = attributeOf(value, name);
    const inside = bodyInside(part);
    if (inner.payload === null) return [];
    if (part.attribute?.sensitive) return [`${name} = (sensitive value)`];
    if (part.block === undefined || !hasContent(inner)) return [`${name} = ${valueText(inner)}`];
    return elementsOf(inside!.nesting, inner).flatMap(([key, element]) => {
      const label = inside!.nesting === "map" ? ` ${JSON.stringify(key)}` : "";
      const lines = bodyLines(inside!.body, element);
      return lines.length === 0 ? [`${name}${label} {}`] : [`${name}${label} {`, ...lines.map((line) => `  ${line}`), "}"];
    });
  });
}

/** Writes a value as an expression. Attributes that are null are left out of objects. */
export function valueText(value: Value): string {
  const { type, payload } = value;
  if (!isKnown(value)) return "(unknown)";
  if (payload === null) return "null";
  switch (type.kind) {
    case "string":
      return JSON.stringify(payload).replaceAll(/[$%](?=\{)/g, "$&$&");
    case "bool":
      return payload === true ? "true" : "false";
    case "number":
      return numberText(payload as NumberPayload);
    case "object": {
      const parts = type.names.map((name) => [name, attributeOf(value, name)] as const).filter(([, part]) => part.payload !== null);
      return parts.length === 0 ? "{}" : `{ ${parts.map(([name, part]) => `${name} = ${valueText(part)}`).join(", ")} }`;
    }
    case "map": {
      const entries = [...(payload as ReadonlyMap<string, Payload>)];
      const texts = entries.map(([key, element]) => `${JSON.stringify(key)} = ${valueText(valueOf(type.element, element))}`);
      return texts.length === 0 ? "{}" : `{ ${texts.join(", ")} }`;
    }
    default: {
      const typeAt = (index: number): Type =>
        type.kind === "tuple" ? type.elements[index]! : (type as { readonly element: Type }).element;
      return `[${(payload as readonly Payload[]).map((element, index) => valueText(valueOf(typeAt(index), element))).join(", ")}]`;
    }
  }
}
