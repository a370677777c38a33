// SPDX-License-Identifier: Apache-2.0
import { dynamic, nullOf } from "@tenon/cty";
import type { AttributeSchema, BlockSchema, BodySchema } from "../body/body.ts";
import { HclError } from "../error.ts";
import { checkNesting, sameBodySpecs, type Spec } from "./spec.ts";

const known = new WeakMap<Spec, BodySchema>();

/**
 * Schema of the bodies that a spec decodes.
 *
 * @throws HclError `INVALID_SPEC` for a spec that is nested too deeply, or whose specs for one block type take different numbers of labels.
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
  checkLabelCounts(blocks);
  return { attributes, blocks };
}

/** A block has the same labels for every spec that decodes it, so the specs must agree on their number. */
function checkLabelCounts(blocks: readonly BlockSchema[]): void {
  const counts = new Map<string, number>();
  for (const { type, labelNames = [] } of blocks) {
    const count = counts.get(type) ?? labelNames.length;
    counts.set(type, count);
    if (count === labelNames.length) continue;
    const detail = `one of them takes ${count} labels, another ${labelNames.length}`;
    throw new HclError("INVALID_SPEC", `the specs for ${type} blocks must agree on the labels: ${detail}`);
  }
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

/** Names of the labels that a spec for the body of a block uses, by index. */
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

/** Block types that a spec decodes, with the specs of their bodies. @see hcldec.ChildBlockTypes */
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
