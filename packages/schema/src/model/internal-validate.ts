// SPDX-License-Identifier: Apache-2.0
import { hasDynamic } from "@tenon/cty";
import { attributeType, impliedType } from "./implied-type.ts";
import type { Attribute, Block, NestedAttributes, NestedBlock, Schema } from "./schema.ts";

/** Violation of a protocol rule by a schema. */
export interface SchemaProblem {
  /** Names from the outermost block to the invalid attribute or block. */
  readonly path: readonly string[];
  readonly message: string;
  /** Whether the cores tolerate the violation, because published providers contain it. New schemas should not. */
  readonly tolerated: boolean;
}

const validName = /^[a-z0-9_]+$/;

/**
 * Returns the violations in a schema: those that the cores reject, and those that they tolerate. Tolerated are invalid attribute names, and
 * write-only attributes that are computed, are inside a set, or contain an attribute that is not write-only.
 *
 * @see OpenTofu configschema Block.InternalValidate
 * @see The documentation of write-only arguments
 */
export function internalValidate(schema: Schema): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  if (!Number.isSafeInteger(schema.version) || schema.version < 0)
    problems.push({ path: [], message: "version must be a whole number of at least 0", tolerated: false });
  checkBlock(schema.block, [], { inSet: false }, problems);
  return problems;
}

/** Position in the schema. */
interface SchemaPosition {
  /** Whether the position is inside a set. */
  readonly inSet: boolean;
}

function checkBlock(block: Block, path: readonly string[], position: SchemaPosition, problems: SchemaProblem[]): void {
  for (const [name, attribute] of Object.entries(block.attributes)) checkAttribute(attribute, name, [...path, name], position, problems);
  for (const [name, nested] of Object.entries(block.blocks)) {
    const at = [...path, name];
    if (Object.hasOwn(block.attributes, name))
      problems.push({ path: at, message: "name defined as both attribute and child block type", tolerated: false });
    checkName(name, at, false, problems);
    checkNestedBlock(nested, at, position, problems);
  }
}

function checkName(name: string, path: readonly string[], tolerated: boolean, problems: SchemaProblem[]): void {
  if (!validName.test(name)) problems.push({ path, message: "name may contain only lowercase letters, digits and underscores", tolerated });
}

function checkNestedBlock(nested: NestedBlock, path: readonly string[], position: SchemaPosition, problems: SchemaProblem[]): void {
  const { nesting, block, minItems, maxItems } = nested;
  const report = (message: string): void => void problems.push({ path, message, tolerated: false });
  if (minItems < 0 || maxItems < 0) report("minItems and maxItems must not be negative");
  switch (nesting) {
    case "single":
      if (minItems !== maxItems) report("minItems and maxItems must match for nesting single");
      else if (minItems > 1) report("minItems and maxItems must be 0 or 1 for nesting single");
      break;
    case "group":
    case "map":
      if (minItems !== 0 || maxItems !== 0) report(`minItems and maxItems must be 0 for nesting ${nesting}`);
      break;
    case "list":
    case "set":
      if (maxItems !== 0 && minItems > maxItems) report(`minItems must not be more than maxItems for nesting ${nesting}`);
      if (nesting === "set" && hasDynamic(impliedType(block))) report("a set may not contain attributes of dynamic type");
      break;
    default:
      report(`invalid nesting ${String(nesting satisfies never)}`);
  }
  checkBlock(block, path, { inSet: position.inSet || nesting === "set" }, problems);
}

function checkAttribute(
  attribute: Attribute,
  name: string,
  path: readonly string[],
  position: SchemaPosition,
  problems: SchemaProblem[],
): void {
  const { required, optional, computed, writeOnly, type, nested } = attribute;
  const report = (message: string): void => void problems.push({ path, message, tolerated: false });
  checkName(name, path, true, problems);
  if (!optional && !required && !computed) report("must set optional, required or computed");
  if (optional && required) report("cannot set both optional and required");
  if (computed && required) report("cannot set both computed and required");
  if (writeOnly && computed) problems.push({ path, message: "cannot set both writeOnly and computed", tolerated: true });
  if (writeOnly && position.inSet) problems.push({ path, message: "cannot be writeOnly inside a set", tolerated: true });
  if (type === undefined && nested === undefined) report("either type or nested must be defined");
  if (type !== undefined && nested !== undefined) report("type and nested cannot both be set");
  if (nested) checkNestedAttributes(attribute, nested, path, position, problems);
}

function checkNestedAttributes(
  attribute: Attribute,
  nested: NestedAttributes,
  path: readonly string[],
  position: SchemaPosition,
  problems: SchemaProblem[],
): void {
  const { nesting } = nested;
  if (nesting !== "single" && nesting !== "list" && nesting !== "map" && nesting !== "set") {
    problems.push({ path, message: `invalid nesting ${String(nesting satisfies never)}`, tolerated: false });
    return;
  }
  if (nesting === "set" && hasDynamic(attributeType(attribute)))
    problems.push({ path, message: "a set may not contain attributes of dynamic type", tolerated: false });
  const inside: SchemaPosition = { inSet: position.inSet || nesting === "set" };
  for (const [name, child] of Object.entries(nested.attributes)) {
    checkAttribute(child, name, [...path, name], inside, problems);
    if (attribute.writeOnly && !child.writeOnly)
      problems.push({
        path: [...path, name],
        message: "must be writeOnly, because the attribute that contains it is writeOnly",
        tolerated: true,
      });
  }
}
