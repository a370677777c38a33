// SPDX-License-Identifier: Apache-2.0
import { attributeStep, type Path, type Value } from "@tenon/cty";
import type { Attribute, Block, NestedAttributes } from "./schema.ts";
import { attributeOf, partsOf } from "./value-parts.ts";

/** Attributes and nested blocks of a block, or attributes of a nested attribute. */
export type AttributesAndBlocks = Pick<Block, "attributes"> & Partial<Pick<Block, "blocks">>;

const bodiesByTest = new WeakMap<(attribute: Attribute) => boolean, WeakMap<AttributesAndBlocks, boolean>>();

/** Whether any attribute of the body, at any depth, passes the test. Cached for each test function and body. */
export function someAttribute(body: AttributesAndBlocks, test: (attribute: Attribute) => boolean): boolean {
  let known = bodiesByTest.get(test);
  if (known === undefined) bodiesByTest.set(test, (known = new WeakMap()));
  const remembered = known.get(body);
  if (remembered !== undefined) return remembered;
  const found =
    Object.values(body.attributes).some(
      (attribute) => test(attribute) || (attribute.nested !== undefined && someAttribute(attribute.nested, test)),
    ) || Object.values(body.blocks ?? {}).some((nested) => someAttribute(nested.block, test));
  known.set(body, found);
  return found;
}

/** Returns the paths of all attributes in a value of the block that pass the test, one for each element of a collection. The walk does not descend into a passing attribute, null or an unknown value. The step into a set is the element.
 */
export function attributePaths(block: Block, value: Value, test: (attribute: Attribute) => boolean): Path[] {
  const paths: Path[] = [];
  collect(block, value, [], test, paths);
  return paths;
}

/**
 * Returns the paths of all nested blocks in a value of the block that pass the test, one for each element of a collection, outer blocks
 * first. The step into a set is the element.
 */
export function blockPaths(block: Block, value: Value, test: (block: Block) => boolean): Path[] {
  const paths: Path[] = [];
  collectBlocks(block, value, [], test, paths);
  return paths;
}

function collectBlocks({ blocks }: Block, value: Value, path: Path, test: (block: Block) => boolean, paths: Path[]): void {
  for (const [name, { block, nesting }] of Object.entries(blocks)) {
    const nested = attributeOf(value, name);
    const at = [...path, attributeStep(name)];
    const parts = partsOf(nested);
    if (parts.length === 0) continue;
    const isOne = nesting === "single" || nesting === "group";
    for (const part of isOne ? [{ value: nested, path: at }] : parts.map((one) => ({ value: one.value, path: [...at, one.step] }))) {
      if (test(block)) paths.push(part.path);
      collectBlocks(block, part.value, part.path, test, paths);
    }
  }
}

/** Whether the value contains an attribute that passes the test, even if the attribute is null. */
export function hasAttribute(body: AttributesAndBlocks, value: Value, test: (attribute: Attribute) => boolean): boolean {
  const paths: Path[] = [];
  collect(body, value, [], test, paths);
  return paths.length > 0;
}

/** Returns the paths of write-only attributes. @see OpenTofu configschema Block.WriteOnlyPaths */
export function writeOnlyPaths(block: Block, value: Value): Path[] {
  return attributePaths(block, value, isWriteOnly);
}

/**
 * Returns the paths of attributes that are sensitive by the schema. For a sensitive attribute of a block these include the sensitive
 * attributes nested in it, as in the states of OpenTofu.
 *
 * @see OpenTofu configschema Block.ValueMarks
 */
export function sensitivePaths(block: Block, value: Value): Path[] {
  const paths: Path[] = [];
  collect(block, value, [], isSensitive, paths, true);
  return paths;
}

/** Whether an attribute is write-only. */
export function isWriteOnly(attribute: Attribute): boolean {
  return attribute.writeOnly;
}

/** Whether an attribute is sensitive. */
export function isSensitive(attribute: Attribute): boolean {
  return attribute.sensitive;
}

/** @param descends Whether to descend also into a passing attribute of a block. A passing attribute of a nested attribute is a leaf. */
function collect(
  body: AttributesAndBlocks,
  value: Value,
  path: Path,
  test: (attribute: Attribute) => boolean,
  paths: Path[],
  descends = false,
): void {
  if (!someAttribute(body, test) || partsOf(value).length === 0) return;
  for (const [name, attribute] of Object.entries(body.attributes)) {
    const attributePath = [...path, attributeStep(name)];
    const passes = test(attribute);
    if (passes) paths.push(attributePath);
    const { nested } = attribute;
    if (nested !== undefined && (!passes || (descends && body.blocks !== undefined)))
      collectElements(nested, nested.nesting, attributeOf(value, name), attributePath, test, paths, descends);
  }
  for (const [name, nested] of Object.entries(body.blocks ?? {})) {
    collectElements(nested.block, nested.nesting, attributeOf(value, name), [...path, attributeStep(name)], test, paths, descends);
  }
}

function collectElements(
  body: AttributesAndBlocks,
  nesting: NestedAttributes["nesting"] | "group",
  value: Value,
  path: Path,
  test: (attribute: Attribute) => boolean,
  paths: Path[],
  descends: boolean,
): void {
  if (nesting === "single" || nesting === "group") return collect(body, value, path, test, paths, descends);
  if (!someAttribute(body, test)) return;
  for (const part of partsOf(value)) collect(body, part.value, [...path, part.step], test, paths, descends);
}
