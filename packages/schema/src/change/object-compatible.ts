// SPDX-License-Identifier: Apache-2.0
import { attributeStep, unmark, unmarkDeep, type Path, type Value } from "@tenon/cty";
import { UNKNOWN } from "@tenon/cty/unstable/payload";
import type { Attribute, Block, NestedBlock } from "../model/schema.ts";
import { attributeOf, countOf, hasParts, isUnknownValue, keyOf, partAt, partsOf } from "../model/value-parts.ts";
import { prefixed, type LazyViolation } from "./lazy-violation.ts";
import type { RuleViolation } from "./rule-violation.ts";
import { uncorrelated } from "./uncorrelated-elements.ts";
import { valueViolations } from "./value-compatible.ts";

/** A message in place of one that would show a sensitive value. */
const sensitiveMessage = "inconsistent values for sensitive attribute";

/**
 * Returns the differences between an applied object and its plan that are violations. A known value must be unchanged; an unknown value
 * may become any value of its type that honours its refinements. Sets may shrink, since elements may turn out equal, but not grow.
 *
 * Both values are of the block's type. The message of an attribute that is sensitive by its schema or by a mark shows no value.
 *
 * @see OpenTofu objchange AssertObjectCompatible
 *
 * @example
 * const block = createBlock({ attributes: { size: createAttribute({ type: number, optional: true }) } });
 * const value = (size: number) => of(impliedType(block), { size });
 * assertObjectCompatible(block, value(1), value(2)).map(formatRuleViolation)
 * // => [".size: was cty.NumberIntVal(1), but now cty.NumberIntVal(2)"]
 */
export function assertObjectCompatible(block: Block, planned: Value, actual: Value): RuleViolation[] {
  return objectViolations(block, planned, actual, []).map(({ path, message }) => ({ path, message: message() }));
}

/** @param isMarked Whether the objects are parts of a marked one. */
function objectViolations(block: Block, before: Value, after: Value, path: Path, isMarked = false): LazyViolation[] {
  const unmarkedBefore = unmark(before);
  const unmarkedAfter = unmark(after);
  const planned = unmarkedBefore[0];
  const actual = unmarkedAfter[0];
  const isSensitive = isMarked || unmarkedBefore[1].size > 0 || unmarkedAfter[1].size > 0;
  const what = path.length === 0 ? "root object " : "";
  if (planned.payload === null && actual.payload === null) return [];
  if (planned.payload === null) return [{ path, message: () => `${what}was absent, but now present` }];
  if (actual.payload === null) return [{ path, message: () => `${what}was present, but now absent` }];
  const violations: LazyViolation[] = [];
  for (const name of Object.keys(block.attributes)) {
    if (isFulfilled(planned, actual, name)) continue;
    const at = [...path, attributeStep(name)];
    const found = attributeViolations(block.attributes[name]!, attributeOf(planned, name), attributeOf(actual, name), at);
    violations.push(...(isSensitive ? found.map((one) => ({ ...one, message: () => sensitiveMessage })) : found));
  }
  for (const name of Object.keys(block.blocks)) {
    const at = [...path, attributeStep(name)];
    violations.push(...nestedBlockViolations(block.blocks[name]!, attributeOf(planned, name), attributeOf(actual, name), at, isSensitive));
  }
  return violations;
}

/**
 * Whether the actual value of an attribute is the planned one, or the planned one could become any value of its type. Others are compared in
 * detail. Creates no values, because most attributes are fulfilled.
 */
function isFulfilled({ type, payload: planned }: Value, { type: actualType, payload: actual }: Value, name: string): boolean {
  if (type !== actualType || type.kind !== "object" || !Array.isArray(planned) || !Array.isArray(actual)) return false;
  const slot = type.slots.get(name);
  return slot !== undefined && (planned[slot] === UNKNOWN || planned[slot] === actual[slot]);
}

function attributeViolations(attribute: Attribute, planned: Value, actual: Value, path: Path): LazyViolation[] {
  const [plainPlanned, plannedMarks] = unmarkDeep(planned);
  const [plainActual, actualMarks] = unmarkDeep(actual);
  const violations = valueViolations(plainPlanned, plainActual);
  if (violations.length === 0) return [];
  if (attribute.sensitive || plannedMarks.size > 0 || actualMarks.size > 0) {
    return [{ path, message: () => sensitiveMessage }];
  }
  return prefixed(path, violations);
}

function nestedBlockViolations(
  { nesting, block }: NestedBlock,
  before: Value,
  after: Value,
  path: Path,
  isInMarked: boolean,
): LazyViolation[] {
  const [planned, plannedMarks] = unmark(before);
  const [actual, actualMarks] = unmark(after);
  const isMarked = isInMarked || plannedMarks.size > 0 || actualMarks.size > 0;
  if (nesting === "single" || nesting === "group") {
    // An unknown number of blocks may turn out to be zero.
    return isUnknownValue(planned) && actual.payload === null ? [] : objectViolations(block, planned, actual, path, isMarked);
  }
  if (!hasParts(planned) || !hasParts(actual)) return [];
  if (nesting === "set") return blockSetViolations(block, planned, actual, path, isMarked);
  // Objects represent maps whose elements have different types: their keys are compared, not their number.
  const byKey = planned.type.kind === "object";
  if (!byKey && countOf(planned) !== countOf(actual)) {
    return [{ path, message: () => `block count changed from ${countOf(planned)} to ${countOf(actual)}` }];
  }
  const violations = partsOf(planned).flatMap(({ step, value }): LazyViolation[] => {
    const now = partAt(actual, step);
    if (now !== undefined) return objectViolations(block, value, now, [...path, step], isMarked);
    return byKey ? [{ path, message: () => `block key ${JSON.stringify(keyOf(step))} has vanished` }] : [];
  });
  if (!byKey) return violations;
  const appeared = partsOf(actual).filter(({ step }) => partAt(planned, step) === undefined);
  return [
    ...violations,
    ...appeared.map(({ step }) => ({ path, message: () => `new block key ${JSON.stringify(keyOf(step))} has appeared` })),
  ];
}

function blockSetViolations(block: Block, planned: Value, actual: Value, path: Path, isMarked: boolean): LazyViolation[] {
  // The path is not empty, so that messages are those of nested objects; only their number is used.
  const ofElements = uncorrelated(planned, actual, (a, b) => objectViolations(block, a, b, path).length === 0);
  // The messages would show the elements.
  const violations = ofElements.length > 0 && isMarked ? [{ path: [], message: () => sensitiveMessage }] : ofElements;
  if (countOf(planned) < countOf(actual)) {
    violations.push({ path: [], message: () => `block set length changed from ${countOf(planned)} to ${countOf(actual)}` });
  }
  return prefixed(path, violations);
}
