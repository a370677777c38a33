// SPDX-License-Identifier: Apache-2.0
import { goString, range, rangeIncludes, same, testConformance, type PathStep, type Value } from "@tenon/cty";
import { mismatchMessage } from "@tenon/cty/convert";
import { countOf, isUnknownValue, partAt, partsOf } from "../model/value-parts.ts";
import { prefixed, type LazyViolation } from "./lazy-violation.ts";
import { uncorrelated } from "./uncorrelated-elements.ts";

/**
 * Returns the violations in an actual value of the plan for it, without regard to a schema.
 *
 * @see OpenTofu objchange assertValueCompatible
 */
export function valueViolations(planned: Value, actual: Value): LazyViolation[] {
  if (planned.type.kind === "dynamic" || (planned.type === actual.type && same(planned, actual))) return [];
  if (testConformance(actual.type, planned.type).length > 0)
    return [{ path: [], message: () => `wrong final value type: ${mismatchMessage(actual.type, planned.type)}` }];
  if (isUnknownValue(planned)) {
    return rangeIncludes(range(planned), actual) !== false
      ? []
      : [{ path: [], message: () => `final value ${goString(actual)} does not conform to planning placeholder ${goString(planned)}` }];
  }
  if (planned.payload === null)
    return actual.payload === null ? [] : [{ path: [], message: () => `was null, but now ${goString(actual)}` }];
  if (actual.payload === null) return [{ path: [], message: () => `was ${goString(planned)}, but now null` }];
  if (isUnknownValue(actual)) return [{ path: [], message: () => "was known, but now unknown" }];
  switch (planned.type.kind) {
    case "string":
    case "number":
    case "bool":
      return same(planned, actual) ? [] : [{ path: [], message: () => `was ${goString(planned)}, but now ${goString(actual)}` }];
    case "list":
    case "tuple":
    case "map":
    case "object":
      return partViolations(planned, actual);
    case "set":
      return setViolations(planned, actual);
    default:
      return [];
  }
}

function partViolations(planned: Value, actual: Value): LazyViolation[] {
  const violations = partsOf(planned).flatMap(({ step, value }): LazyViolation[] => {
    const now = partAt(actual, step);
    return now ? prefixed([step], valueViolations(value, now)) : [{ path: [], message: () => `element ${keyText(step)} has vanished` }];
  });
  const appeared = partsOf(actual).filter(({ step }) => partAt(planned, step) === undefined);
  return [...violations, ...appeared.map(({ step }) => ({ path: [], message: () => `new element ${keyText(step)} has appeared` }))];
}

function setViolations(planned: Value, actual: Value): LazyViolation[] {
  const violations = uncorrelated(planned, actual, (a, b) => valueViolations(a, b).length === 0);
  if (countOf(planned) < countOf(actual))
    violations.push({ path: [], message: () => `length changed from ${countOf(planned)} to ${countOf(actual)}` });
  return violations;
}

function keyText(step: PathStep): string {
  return JSON.stringify(step.kind === "attribute" ? step.name : step.key.payload);
}
