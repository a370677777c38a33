// SPDX-License-Identifier: Apache-2.0
import { goString, range, rangeIncludes, same, testConformance, type PathStep, type Value } from "@tenon/cty";
import { mismatchMessage } from "@tenon/cty/convert";
import { countOf, isUnknown, partAt, partsOf } from "../model/value-parts.ts";
import { prefixed, type Finding } from "./finding.ts";
import { uncorrelated } from "./set-correlation.ts";

/**
 * Where an actual value is not what a planned one allows, without regard to any schema.
 *
 * @see OpenTofu objchange assertValueCompatible
 */
export function valueProblems(planned: Value, actual: Value): Finding[] {
  if (planned.type.kind === "dynamic" || (planned.type === actual.type && planned.payload === actual.payload)) return [];
  if (testConformance(actual.type, planned.type).length > 0)
    return [{ path: [], message: () => `wrong final value type: ${mismatchMessage(actual.type, planned.type)}` }];
  if (isUnknown(planned)) {
    return rangeIncludes(range(planned), actual) !== false
      ? []
      : [{ path: [], message: () => `final value ${goString(actual)} does not conform to planning placeholder ${goString(planned)}` }];
  }
  if (planned.payload === null)
    return actual.payload === null ? [] : [{ path: [], message: () => `was null, but now ${goString(actual)}` }];
  if (actual.payload === null) return [{ path: [], message: () => `was ${goString(planned)}, but now null` }];
  if (isUnknown(actual)) return [{ path: [], message: () => "was known, but now unknown" }];
  switch (planned.type.kind) {
    case "string":
    case "number":
    case "bool":
      return same(planned, actual) ? [] : [{ path: [], message: () => `was ${goString(planned)}, but now ${goString(actual)}` }];
    case "list":
    case "tuple":
    case "map":
    case "object":
      return partProblems(planned, actual);
    case "set":
      return setProblems(planned, actual);
    default:
      return [];
  }
}

function partProblems(planned: Value, actual: Value): Finding[] {
  const problems = partsOf(planned).flatMap(({ step, value }): Finding[] => {
    const now = partAt(actual, step);
    return now ? prefixed([step], valueProblems(value, now)) : [{ path: [], message: () => `element ${keyText(step)} has vanished` }];
  });
  const appeared = partsOf(actual).filter(({ step }) => partAt(planned, step) === undefined);
  return [...problems, ...appeared.map(({ step }) => ({ path: [], message: () => `new element ${keyText(step)} has appeared` }))];
}

function setProblems(planned: Value, actual: Value): Finding[] {
  const problems = uncorrelated(planned, actual, (a, b) => valueProblems(a, b).length === 0);
  if (countOf(planned) < countOf(actual))
    problems.push({ path: [], message: () => `length changed from ${countOf(planned)} to ${countOf(actual)}` });
  return problems;
}

function keyText(step: PathStep): string {
  return JSON.stringify(step.kind === "attribute" ? step.name : step.key.payload);
}
