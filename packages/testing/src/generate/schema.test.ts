// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";
import { internalValidate, type Attribute, type Block, type NestedBlock } from "@tenon/schema";
import { describe, test } from "vitest";
import { createRandom } from "./random.ts";
import { generateSchema, type SchemaSettings } from "./schema.ts";

interface Parts {
  readonly attributes: readonly Attribute[];
  readonly blocks: readonly NestedBlock[];
}

/** All attributes and blocks of a block, at every depth. */
function partsOf({ attributes, blocks }: Pick<Block, "attributes"> & Partial<Block>): Parts {
  const own = Object.values(attributes);
  const nested = Object.values(blocks ?? {});
  const inside = [...own.flatMap((one) => (one.nested ? [partsOf(one.nested)] : [])), ...nested.map(({ block }) => partsOf(block))];
  return {
    attributes: [...own, ...inside.flatMap((parts) => parts.attributes)],
    blocks: [...nested, ...inside.flatMap((parts) => parts.blocks)],
  };
}

const schemas = (settings: SchemaSettings) => Array.from({ length: 300 }, (_, seed) => generateSchema(createRandom(seed), settings));
const parts = (settings: SchemaSettings): readonly Parts[] => schemas(settings).map(({ block }) => partsOf(block));
const attributes = (settings: SchemaSettings): readonly Attribute[] => parts(settings).flatMap((one) => one.attributes);
const blocks = (settings: SchemaSettings): readonly NestedBlock[] => parts(settings).flatMap((one) => one.blocks);

function hasKind(type: Type | undefined, kind: Type["kind"]): boolean {
  if (type === undefined) return false;
  if (type.kind === kind) return true;
  if ("element" in type) return hasKind(type.element, kind);
  if (type.kind === "object") return Object.values(type.attributes).some((one) => hasKind(one, kind));
  return type.kind === "tuple" && type.elements.some((one) => hasKind(one, kind));
}

describe("generateSchema", () => {
  test.for<[name: keyof SchemaSettings, value: never, has: (settings: SchemaSettings) => boolean]>([
    ["nestedAttributes", false as never, (settings) => attributes(settings).some(({ nested }) => nested !== undefined)],
    ["writeOnly", false as never, (settings) => attributes(settings).some(({ writeOnly }) => writeOnly)],
    ["computed", false as never, (settings) => attributes(settings).some(({ computed }) => computed)],
    ["tuples", false as never, (settings) => attributes(settings).some(({ type }) => hasKind(type, "tuple"))],
    ["blockNestings", ["single", "list"] as never, (settings) => blocks(settings).some(({ nesting }) => nesting === "map")],
    ["itemLimits", false as never, (settings) => blocks(settings).some(({ nesting, maxItems }) => nesting === "list" && maxItems > 0)],
    ["attributeCount", [1, 2] as never, (settings) => schemas(settings).some(({ block }) => Object.keys(block.attributes).length > 2)],
    ["depth", 0 as never, (settings) => blocks(settings).length > 0],
    [
      "dynamicElements",
      false as never,
      (settings) =>
        blocks(settings).some(({ nesting, block }) => nesting !== "single" && nesting !== "group" && hasDynamicAttribute(block)),
    ],
  ])("leaves out with %s what it has by default", ([name, value, has], { expect }) => {
    expect([has({}), has({ [name]: value })]).toEqual([true, false]);
    expect(schemas({ [name]: value }).flatMap(internalValidate)).toEqual([]);
  });

  test("makes the attributes inside a write-only attribute write-only, and gives it no sets", ({ expect }) => {
    const writeOnly = attributes({ depth: 3 }).filter((attribute) => attribute.writeOnly);
    const nested = writeOnly.filter((attribute) => attribute.nested !== undefined);
    expect(nested.length).toBeGreaterThan(0);
    expect(nested.flatMap((one) => partsOf(one.nested!).attributes).every((one) => one.writeOnly)).toBe(true);
    expect(writeOnly.some(({ type, nested: inside }) => hasKind(type, "set") || inside?.nesting === "set")).toBe(false);
  });
});

function hasDynamicAttribute(block: Block): boolean {
  return partsOf(block).attributes.some(({ type }) => type?.kind === "dynamic");
}
