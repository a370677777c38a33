// SPDX-License-Identifier: Apache-2.0
import { attributeStep, unmarkDeep, type Path, type Value } from "@tenon/cty";
import type { Attribute, Block, NestedBlock } from "../model/schema.ts";
import { attributeOf, countOf, hasParts, isUnknown, keyOf, partAt, partsOf } from "../model/value-parts.ts";
import { prefixed, type Finding } from "./finding.ts";
import type { Problem } from "./problem.ts";
import { uncorrelated } from "./set-correlation.ts";
import { valueProblems } from "./value-compatible.ts";

/**
 * Where an applied object is not what was planned. What was known in the plan must be the same now; what was unknown may be
 * anything that fits its type and what was promised of it. Sets may shrink, when elements prove equal, but not grow.
 *
 * Both values are of the block's type. Where an attribute's schema or a mark in either value says that it is sensitive, the message
 * shows no value.
 *
 * @see OpenTofu objchange AssertObjectCompatible
 *
 * @example
 * const block = createBlock({ attributes: { size: createAttribute({ type: number, optional: true }) } });
 * const value = (size: number) => of(impliedType(block), { size });
 * assertObjectCompatible(block, value(1), value(2)).map(formatProblem)
 * // => [".size: was cty.NumberIntVal(1), but now cty.NumberIntVal(2)"]
 */
export function assertObjectCompatible(block: Block, planned: Value, actual: Value): Problem[] {
  return objectProblems(block, planned, actual, []).map(({ path, message }) => ({ path, message: message() }));
}

function objectProblems(block: Block, planned: Value, actual: Value, path: Path): Finding[] {
  const what = path.length === 0 ? "root object " : "";
  if (planned.payload === null && actual.payload === null) return [];
  if (planned.payload === null) return [{ path, message: () => `${what}was absent, but now present` }];
  if (actual.payload === null) return [{ path, message: () => `${what}was present, but now absent` }];
  return [
    ...Object.keys(block.attributes).flatMap((name) =>
      attributeProblems(block.attributes[name]!, attributeOf(planned, name), attributeOf(actual, name), [...path, attributeStep(name)]),
    ),
    ...Object.keys(block.blocks).flatMap((name) =>
      nestedBlockProblems(block.blocks[name]!, attributeOf(planned, name), attributeOf(actual, name), [...path, attributeStep(name)]),
    ),
  ];
}

function attributeProblems(attribute: Attribute, planned: Value, actual: Value, path: Path): Finding[] {
  const [plainPlanned, plannedMarks] = unmarkDeep(planned);
  const [plainActual, actualMarks] = unmarkDeep(actual);
  const problems = valueProblems(plainPlanned, plainActual);
  if (problems.length === 0) return [];
  if (attribute.sensitive || plannedMarks.size > 0 || actualMarks.size > 0) {
    return [{ path, message: () => "inconsistent values for sensitive attribute" }];
  }
  return prefixed(path, problems);
}

function nestedBlockProblems(nested: NestedBlock, planned: Value, actual: Value, path: Path): Finding[] {
  const { nesting, block } = nested;
  if (nesting === "single" || nesting === "group") {
    // An unknown number of blocks may turn out to be none.
    return isUnknown(planned) && actual.payload === null ? [] : objectProblems(block, planned, actual, path);
  }
  if (!hasParts(planned) || !hasParts(actual)) return [];
  if (nesting === "set") return blockSetProblems(block, planned, actual, path);
  // Objects stand for maps whose elements have different types; there the keys tell more than the count.
  const byKey = planned.type.kind === "object";
  if (!byKey && countOf(planned) !== countOf(actual)) {
    return [{ path, message: () => `block count changed from ${countOf(planned)} to ${countOf(actual)}` }];
  }
  const problems = partsOf(planned).flatMap(({ step, value }): Finding[] => {
    const now = partAt(actual, step);
    if (now !== undefined) return objectProblems(block, value, now, [...path, step]);
    return byKey ? [{ path, message: () => `block key ${JSON.stringify(keyOf(step))} has vanished` }] : [];
  });
  if (!byKey) return problems;
  const appeared = partsOf(actual).filter(({ step }) => partAt(planned, step) === undefined);
  return [
    ...problems,
    ...appeared.map(({ step }) => ({ path, message: () => `new block key ${JSON.stringify(keyOf(step))} has appeared` })),
  ];
}

function blockSetProblems(block: Block, planned: Value, actual: Value, path: Path): Finding[] {
  // The path is not empty, so that the messages are those of nested objects; only whether there are any counts.
  const problems = uncorrelated(planned, actual, (a, b) => objectProblems(block, a, b, path).length === 0);
  if (countOf(planned) < countOf(actual)) {
    problems.push({ path: [], message: () => `block set length changed from ${countOf(planned)} to ${countOf(actual)}` });
  }
  return prefixed(path, problems);
}
