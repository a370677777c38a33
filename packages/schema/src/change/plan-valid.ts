// SPDX-License-Identifier: Apache-2.0
import { attributeStep, goString, same, type Path, type Value } from "@tenon/cty";
import { valueOf } from "@tenon/cty/unstable/payload";
import { nestedObjectType } from "../model/implied-type.ts";
import type { Attribute, Block, NestedAttributes, NestedBlock } from "../model/schema.ts";
import { attributeOf, countOf, isUnknown, keyOf, partAt, partsOf } from "../model/value-parts.ts";
import { couldBeAsLong, countText, mustBeAsLong } from "./element-count.ts";
import type { Problem } from "./problem.ts";
import { sameButRefinements } from "./same-value.ts";

/**
 * What a provider planned that it must not. It may decide computed attributes that are not configured, and it may keep the prior
 * value of a configured one, to say that the two mean the same; nothing else.
 *
 * All values are of the block's type, without marks. Elements of sets are not compared: nothing says which is which.
 *
 * @see OpenTofu objchange AssertPlanValid
 *
 * @example
 * const block = createBlock({ attributes: { name: createAttribute({ type: string, required: true }) } });
 * const value = (name: string | null) => of(impliedType(block), { name });
 * assertPlanValid(block, nullOf(impliedType(block)), value("a"), value("b")).map(formatProblem)
 * // => ['.name: planned value cty.StringVal("b") does not match config value cty.StringVal("a")']
 */
export function assertPlanValid(block: Block, prior: Value, config: Value, planned: Value): Problem[] {
  const problems: Problem[] = [];
  checkBlock(block, { prior, config, planned, path: [] }, problems);
  return problems;
}

/** One thing as it was, as it is configured, and as the provider wants it. */
interface Planned {
  readonly prior: Value;
  readonly config: Value;
  readonly planned: Value;
  readonly path: Path;
}

const unknownBlock = "must not be unknown itself; set nested attribute values to unknown instead";

function checkBlock(block: Block, at: Planned, problems: Problem[]): void {
  if (!checkExistence(at, problems)) return;
  checkAttributes(block.attributes, at, problems);
  for (const name of Object.keys(block.blocks)) checkNestedBlock(block.blocks[name]!, inAttribute(at, name), problems);
}

/** Whether both exist, so that there is more to check. */
function checkExistence({ config, planned, path }: Planned, problems: Problem[]): boolean {
  if (planned.payload === null && config.payload !== null)
    problems.push({ path, message: "planned for absence but config wants existence" });
  if (planned.payload !== null && config.payload === null)
    problems.push({ path, message: "planned for existence but config wants absence" });
  return planned.payload !== null && config.payload !== null;
}

function checkNestedBlock(nested: NestedBlock, at: Planned, problems: Problem[]): void {
  const { config, planned, path } = at;
  if (same(planned, config)) return;
  if (isUnknown(config)) {
    // An unknown number of blocks comes from `dynamic`, and is not for the provider to decide.
    problems.push({ path, message: `planned value ${goString(planned)} for unknown dynamic block` });
    return;
  }
  if (isUnknown(planned)) {
    problems.push({ path, message: `attribute representing nested block ${unknownBlock}` });
    return;
  }
  const { nesting } = nested;
  if (nesting === "single" || nesting === "group") {
    checkBlock(nested.block, at, problems);
    return;
  }
  if (planned.payload === null) {
    problems.push({ path, message: `attribute representing a ${nesting} of nested blocks must be empty to indicate no blocks, not null` });
    return;
  }
  // Objects, which stand for maps of different types, are compared key by key alone.
  if (nesting === "list" || (nesting === "map" && planned.type.kind === "map")) {
    if (countOf(planned) !== countOf(config)) {
      problems.push({ path, message: `block count in plan (${countOf(planned)}) disagrees with count in config (${countOf(config)})` });
      return;
    }
  }
  checkBlockElements(nested, at, problems);
}

function checkBlockElements(nested: NestedBlock, at: Planned, problems: Problem[]): void {
  for (const { step, value } of partsOf(at.planned)) {
    const path = [...at.path, step];
    if (isUnknown(value)) {
      problems.push({ path, message: `element representing nested block ${unknownBlock}` });
      continue;
    }
    if (nested.nesting === "set") continue;
    const config = partAt(at.config, step);
    if (config === undefined) {
      if (nested.nesting === "map")
        problems.push({ path: at.path, message: `block key ${JSON.stringify(keyOf(step))} from plan is not present in config` });
      continue;
    }
    checkBlock(nested.block, { path, config, planned: value, prior: partAt(at.prior, step) ?? valueOf(value.type, null) }, problems);
  }
  if (nested.nesting !== "map") return;
  for (const { step } of partsOf(at.config)) {
    if (partAt(at.planned, step) === undefined) {
      problems.push({ path: at.path, message: `block key ${JSON.stringify(keyOf(step))} from config is not present in plan` });
    }
  }
}

function checkAttributes(attributes: Readonly<Record<string, Attribute>>, at: Planned, problems: Problem[]): void {
  for (const name of Object.keys(attributes)) checkAttribute(attributes[name]!, inAttribute(at, name), problems);
}

function checkAttribute(attribute: Attribute, at: Planned, problems: Problem[]): void {
  const { prior, config, planned, path } = at;
  if (sameButRefinements(planned, config)) return;
  if (prior.payload !== null && config.payload !== null && sameButRefinements(planned, prior)) return;
  // A computed attribute has a configured value too where the practitioner ignores its changes.
  if (attribute.computed && (!attribute.optional || config.payload === null)) return;
  if (config.payload === null) {
    const value = attribute.sensitive ? "sensitive planned value" : `planned value ${goString(planned)}`;
    problems.push({ path, message: `${value} for a non-computed attribute` });
    return;
  }
  if (attribute.writeOnly && planned.payload === null) return;
  if (attribute.nested) {
    checkNestedAttribute(attribute.nested, at, problems);
    return;
  }
  const ofPrior = prior.payload !== null;
  problems.push({
    path,
    message: attribute.sensitive
      ? `sensitive planned value does not match config value${ofPrior ? " nor prior value" : ""}`
      : `planned value ${goString(planned)} does not match config value ${goString(config)}${ofPrior ? ` nor prior value ${goString(prior)}` : ""}`,
  });
}

function checkNestedAttribute(nested: NestedAttributes, at: Planned, problems: Problem[]): void {
  const { prior, config, planned, path } = at;
  if (!checkExistence(at, problems)) return;
  if (isUnknown(planned)) {
    problems.push({ path, message: "planned unknown for configured value" });
    return;
  }
  if (nested.nesting === "single") {
    checkAttributes(nested.attributes, at, problems);
    return;
  }
  const agree = nested.nesting === "set" ? couldBeAsLong : mustBeAsLong;
  if (!agree(planned, config)) {
    problems.push({ path, message: `count in plan (${countText(planned)}) disagrees with count in config (${countText(config)})` });
    return;
  }
  if (nested.nesting === "set") return;
  const isMap = nested.nesting === "map";
  for (const { step, value } of partsOf(planned)) {
    const configElement = partAt(config, step);
    if (configElement === undefined) {
      if (isMap) problems.push({ path, message: `map key ${JSON.stringify(keyOf(step))} from plan is not present in config` });
      continue;
    }
    // The cores name elements of maps as attributes here.
    const element = isMap ? attributeStep(keyOf(step)) : step;
    const before = partAt(prior, step) ?? valueOf(nestedObjectType(nested), null);
    checkAttributes(nested.attributes, { path: [...path, element], prior: before, config: configElement, planned: value }, problems);
  }
  if (!isMap) return;
  for (const { step } of partsOf(config)) {
    if (partAt(planned, step) === undefined)
      problems.push({ path, message: `map key ${JSON.stringify(keyOf(step))} from config is not present in plan` });
  }
}

function inAttribute({ prior, config, planned, path }: Planned, name: string): Planned {
  return {
    prior: attributeOf(prior, name),
    config: attributeOf(config, name),
    planned: attributeOf(planned, name),
    path: [...path, attributeStep(name)],
  };
}
