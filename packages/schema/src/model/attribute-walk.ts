// SPDX-License-Identifier: Apache-2.0
import { attributeStep, type Path, type Value } from "@tenon/cty";
import type { Attribute, Block, NestedAttributes } from "./schema.ts";
import { attributeOf, partsOf } from "./value-parts.ts";

/** Something with attributes in it: a block, or what a nested attribute consists of. */
export type AttributesAndBlocks = Pick<Block, "attributes"> & Partial<Pick<Block, "blocks">>;

const interestingBodies = new WeakMap<(attribute: Attribute) => boolean, WeakMap<AttributesAndBlocks, boolean>>();

/** Is there an attribute that the test accepts anywhere in the block? Remembered for each test and block. */
export function someAttribute(body: AttributesAndBlocks, test: (attribute: Attribute) => boolean): boolean {
  let known = interestingBodies.get(test);
  if (known === undefined) interestingBodies.set(test, (known = new WeakMap()));
  const remembered = known.get(body);
  if (remembered !== undefined) return remembered;
  const found =
    Object.values(body.attributes).some(
      (attribute) => test(attribute) || (attribute.nested !== undefined && someAttribute(attribute.nested, test)),
    ) || Object.values(body.blocks ?? {}).some((nested) => someAttribute(nested.block, test));
  known.set(body, found);
  return found;
}

/**
 * The paths of all attributes that the test accepts, for each element of what repeats, in a value of the block. What is below an
 * accepted attribute, null or unknown is passed over. Sets are entered too: the step into one is the element.
 */
export function attributePaths(block: Block, value: Value, test: (attribute: Attribute) => boolean): Path[] {
  const paths: Path[] = [];
  collect(block, value, [], test, paths);
  return paths;
}

/** Is there a value, be it null, of an attribute that the test accepts? */
export function hasAttribute(body: AttributesAndBlocks, value: Value, test: (attribute: Attribute) => boolean): boolean {
  const paths: Path[] = [];
  collect(body, value, [], test, paths);
  return paths.length > 0;
}

/** Paths of write-only attributes. @see OpenTofu configschema Block.WriteOnlyPaths */
export function writeOnlyPaths(block: Block, value: Value): Path[] {
  return attributePaths(block, value, isWriteOnly);
}

/** Paths of attributes that the schema calls sensitive. @see OpenTofu configschema Block.ValueMarks */
export function sensitivePaths(block: Block, value: Value): Path[] {
  return attributePaths(block, value, isSensitive);
}

export function isWriteOnly(attribute: Attribute): boolean {
  return attribute.writeOnly;
}

export function isSensitive(attribute: Attribute): boolean {
  return attribute.sensitive;
}

function collect(body: AttributesAndBlocks, value: Value, path: Path, test: (attribute: Attribute) => boolean, paths: Path[]): void {
  if (!someAttribute(body, test) || partsOf(value).length === 0) return;
  for (const [name, attribute] of Object.entries(body.attributes)) {
    const attributePath = [...path, attributeStep(name)];
    if (test(attribute)) paths.push(attributePath);
    else if (attribute.nested)
      collectElements(attribute.nested, attribute.nested.nesting, attributeOf(value, name), attributePath, test, paths);
  }
  for (const [name, nested] of Object.entries(body.blocks ?? {})) {
    collectElements(nested.block, nested.nesting, attributeOf(value, name), [...path, attributeStep(name)], test, paths);
  }
}

function collectElements(
  body: AttributesAndBlocks,
  nesting: NestedAttributes["nesting"] | "group",
  value: Value,
  path: Path,
  test: (attribute: Attribute) => boolean,
  paths: Path[],
): void {
  if (nesting === "single" || nesting === "group") return collect(body, value, path, test, paths);
  if (!someAttribute(body, test)) return;
  for (const part of partsOf(value)) collect(body, part.value, [...path, part.step], test, paths);
}
