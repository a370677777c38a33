// SPDX-License-Identifier: Apache-2.0
import { dynamic, nullOf } from "@tenon/cty";
import type { AttributeSchema, BlockSchema, BodySchema } from "../body/body.ts";
import { checkNesting, sameBodySpecs, type Spec } from "./spec.ts";

const known = new WeakMap<Spec, BodySchema>();

/**
 * What bodies may have that a spec decodes.
 *
 * @throws HclError `INVALID_SPEC` for one that is nested too deeply.
 * @see hcldec.ImpliedSchema
 */
export function impliedSchema(spec: Spec): BodySchema {
  let schema = known.get(spec);
  if (schema === undefined) known.set(spec, (schema = schemaOf(spec)));
  return schema;
}

function schemaOf(spec: Spec): BodySchema {
  checkNesting(spec);
  const attributes: AttributeSchema[] = [];
  const blocks: BlockSchema[] = [];
  const visit = (one: Spec): void => {
    attributes.push(...attributesOf(one));
    blocks.push(...blocksOf(one));
    for (const part of sameBodySpecs(one)) visit(part);
  };
  visit(spec);
  return { attributes, blocks };
}

function attributesOf(spec: Spec): readonly AttributeSchema[] {
  return spec.kind === "attribute" ? [{ name: spec.name, required: spec.required ?? false }] : [];
}

function blocksOf(spec: Spec): readonly BlockSchema[] {
  switch (spec.kind) {
    case "block":
    case "blockList":
    case "blockSet":
    case "blockTuple":
      return [{ type: spec.type, labelNames: labelNames(spec.nested) }];
    case "blockMap":
    case "blockObject":
      return [{ type: spec.type, labelNames: [...spec.labels, ...labelNames(spec.nested)] }];
    case "blockAttributes":
      return [{ type: spec.type }];
    default:
      return [];
  }
}

/** The labels that a spec for the body of a block takes, by their index. */
function labelNames(spec: Spec): readonly string[] {
  const names: string[] = [];
  const visit = (one: Spec): void => {
    if (one.kind === "blockLabel") names[one.index] = one.name;
    for (const part of sameBodySpecs(one)) visit(part);
  };
  visit(spec);
  return Array.from(names, (name, index) => name ?? `missing${String(index).padStart(2, "0")}`);
}

const nothing: Spec = { kind: "literal", value: nullOf(dynamic) };

/** The types of blocks that a spec decodes, and how the body of each is. @see hcldec.ChildBlockTypes */
export function childBlockTypes(spec: Spec): ReadonlyMap<string, Spec> {
  const types = new Map<string, Spec>();
  const visit = (one: Spec): void => {
    if (one.kind === "blockAttributes") types.set(one.type, nothing);
    else if ("nested" in one) types.set(one.type, one.nested);
    for (const part of sameBodySpecs(one)) visit(part);
  };
  visit(spec);
  return types;
}
