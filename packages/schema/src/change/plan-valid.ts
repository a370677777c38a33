// SPDX-License-Identifier: Apache-2.0
import { attributeStep, goString, same, type Path, type Value } from "@tenon/cty";
import { valueOf } from "@tenon/cty/unstable/payload";
import { nestedObjectType } from "../model/implied-type.ts";
import type { Attribute, Block, NestedAttributes, NestedBlock } from "../model/schema.ts";
import { attributeOf, countOf, isUnknownValue, keyOf, partAt, partsOf } from "../model/value-parts.ts";
import { mayHaveSameCount, countText, haveSameCount } from "./element-count.ts";
import type { RuleViolation } from "./rule-violation.ts";
import { sameButRefinements } from "./same-value.ts";

/** Returns the violations in a provider's plan. A provider may only choose the values of computed attributes that are not configured, and keep the prior value of a configured attribute where both values mean the same.
 *
 * All values are unmarked and of the block's type. Elements of sets are not compared, since nothing correlates them.
 *
 * @see OpenTofu objchange AssertPlanValid
 *
 * @example
 * const block = createBlock({ attributes: { name: createAttribute({ type: string, required: true }) } });
 * const value = (name: string | null) => of(impliedType(block), { name });
 * assertPlanValid(block, nullOf(impliedType(block)), value("a"), value("b")).map(formatRuleViolation)
 * // => ['.name: planned value cty.StringVal("b") does not match config value cty.StringVal("a")']
 */
export function assertPlanValid(block: Block, prior: Value, config: Value, planned: Value): RuleViolation[] {
  const violations: RuleViolation[] = [];
  checkBlock(block, { prior, config, planned, path: [] }, violations);
  return violations;
}

/** One value: its prior state, its configuration and its plan. */
interface Planned {
  readonly prior: Value;
  readonly config: Value;
  readonly planned: Value;
  readonly path: Path;
}

const unknownBlock = "must not be unknown itself; set nested attribute values to unknown instead";

function checkBlock(block: Block, at: Planned, violations: RuleViolation[]): void {
  if (!checkExistence(at, violations)) return;
  checkAttributes(block.attributes, at, violations);
  for (const name of Object.keys(block.blocks)) checkNestedBlock(block.blocks[name]!, inAttribute(at, name), violations);
}

/** Whether both the configured and the planned value exist. */
function checkExistence({ config, planned, path }: Planned, violations: RuleViolation[]): boolean {
  if (planned.payload === null && config.payload !== null)
    violations.push({ path, message: "planned for absence but config wants existence" });
  if (planned.payload !== null && config.payload === null)
    violations.push({ path, message: "planned for existence but config wants absence" });
  return planned.payload !== null && config.payload !== null;
}

function checkNestedBlock(nested: NestedBlock, at: Planned, violations: RuleViolation[]): void {
  const { config, planned, path } = at;
  if (same(planned, config)) return;
  if (isUnknownValue(config)) {
    // An unknown number of blocks comes from a `dynamic` block: the provider must not choose it.
    violations.push({ path, message: `planned value ${goString(planned)} for unknown dynamic block` });
    return;
  }
  if (isUnknownValue(planned)) {
    violations.push({ path, message: `attribute representing nested block ${unknownBlock}` });
    return;
  }
  const { nesting } = nested;
  if (nesting === "single" || nesting === "group") {
    checkBlock(nested.block, at, violations);
    return;
  }
  if (planned.payload === null) {
    violations.push({
      path,
      message: `attribute representing a ${nesting} of nested blocks must be empty to indicate no blocks, not null`,
    });
    return;
  }
  // Objects represent maps whose elements have different types; their keys are compared below.
  if (nesting === "list" || (nesting === "map" && planned.type.kind === "map")) {
    if (countOf(planned) !== countOf(config)) {
      violations.push({ path, message: `block count in plan (${countOf(planned)}) disagrees with count in config (${countOf(config)})` });
      return;
    }
  }
  checkBlockElements(nested, at, violations);
}

function checkBlockElements(nested: NestedBlock, at: Planned, violations: RuleViolation[]): void {
  for (const { step, value } of partsOf(at.planned)) {
    const path = [...at.path, step];
    if (isUnknownValue(value)) {
      violations.push({ path, message: `element representing nested block ${unknownBlock}` });
      continue;
    }
    if (nested.nesting === "set") continue;
    const config = partAt(at.config, step);
    if (config === undefined) {
      if (nested.nesting === "map")
        violations.push({ path: at.path, message: `block key ${JSON.stringify(keyOf(step))} from plan is not present in config` });
      continue;
    }
    checkBlock(nested.block, { path, config, planned: value, prior: partAt(at.prior, step) ?? valueOf(value.type, null) }, violations);
  }
  if (nested.nesting !== "map") return;
  for (const { step } of partsOf(at.config)) {
    if (partAt(at.planned, step) === undefined) {
      violations.push({ path: at.path, message: `block key ${JSON.stringify(keyOf(step))} from config is not present in plan` });
    }
  }
}

function checkAttributes(attributes: Readonly<Record<string, Attribute>>, at: Planned, violations: RuleViolation[]): void {
  for (const name of Object.keys(attributes)) {
    const attribute = attributes[name]!;
    const config = attributeOf(at.config, name);
    if (isFree(attribute, config) || sameButRefinements(attributeOf(at.planned, name), config)) continue;
    checkAttribute(attribute, inAttribute(at, name), violations);
  }
}

/** Whether the provider may plan any value. With ignore_changes a computed attribute may also have a configured value. */
function isFree({ computed, optional }: Attribute, config: Value): boolean {
  return computed && (!optional || config.payload === null);
}

/** Checks an attribute whose planned value is not the configured one, although the provider may not plan any value. */
function checkAttribute(attribute: Attribute, at: Planned, violations: RuleViolation[]): void {
  const { prior, config, planned, path } = at;
  if (prior.payload !== null && config.payload !== null && sameButRefinements(planned, prior)) return;
  if (config.payload === null) {
    const value = attribute.sensitive ? "sensitive planned value" : `planned value ${goString(planned)}`;
    violations.push({ path, message: `${value} for a non-computed attribute` });
    return;
  }
  if (attribute.writeOnly && planned.payload === null) return;
  if (attribute.nested) {
    checkNestedAttribute(attribute.nested, at, violations);
    return;
  }
  const ofPrior = prior.payload !== null;
  violations.push({
    path,
    message: attribute.sensitive
      ? `sensitive planned value does not match config value${ofPrior ? " nor prior value" : ""}`
      : `planned value ${goString(planned)} does not match config value ${goString(config)}${ofPrior ? ` nor prior value ${goString(prior)}` : ""}`,
  });
}

function checkNestedAttribute(nested: NestedAttributes, at: Planned, violations: RuleViolation[]): void {
  const { prior, config, planned, path } = at;
  if (!checkExistence(at, violations)) return;
  if (isUnknownValue(planned)) {
    violations.push({ path, message: "planned unknown for configured value" });
    return;
  }
  if (nested.nesting === "single") {
    checkAttributes(nested.attributes, at, violations);
    return;
  }
  const agree = nested.nesting === "set" ? mayHaveSameCount : haveSameCount;
  if (!agree(planned, config)) {
    violations.push({ path, message: `count in plan (${countText(planned)}) disagrees with count in config (${countText(config)})` });
    return;
  }
  if (nested.nesting === "set") return;
  const isMap = nested.nesting === "map";
  for (const { step, value } of partsOf(planned)) {
    const configElement = partAt(config, step);
    if (configElement === undefined) {
      if (isMap) violations.push({ path, message: `map key ${JSON.stringify(keyOf(step))} from plan is not present in config` });
      continue;
    }
    // The cores write elements of maps as attributes here.
    const element = isMap ? attributeStep(keyOf(step)) : step;
    const before = partAt(prior, step) ?? valueOf(nestedObjectType(nested), null);
    checkAttributes(nested.attributes, { path: [...path, element], prior: before, config: configElement, planned: value }, violations);
  }
  if (!isMap) return;
  for (const { step } of partsOf(config)) {
    if (partAt(planned, step) === undefined)
      violations.push({ path, message: `map key ${JSON.stringify(keyOf(step))} from config is not present in plan` });
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
