// SPDX-License-Identifier: Apache-2.0
import type { Json, PathStep } from "@tenon/testing";
import type { Random } from "@tenon/testing/generate";

/** Whether a value is a number that is kept as text. */
export function isNumberText(value: object): boolean {
  return (JSON as unknown as { readonly isRawJSON: (value: object) => boolean }).isRawJSON(value);
}

/** The paths of all values inside a value, itself included. */
export function pathsIn(value: Json | undefined): readonly (readonly PathStep[])[] {
  if (typeof value !== "object" || value === null || isNumberText(value)) return [[]];
  const parts: readonly (readonly [PathStep, Json])[] = Array.isArray(value)
    ? [...(value as readonly Json[]).entries()]
    : Object.entries(value as Readonly<Record<string, Json>>);
  return [[], ...parts.flatMap(([step, part]) => pathsIn(part).map((rest) => [step, ...rest]))];
}

/** The value at a path; undefined if there is none. */
export function valueIn(value: Json | undefined, path: readonly PathStep[]): Json | undefined {
  let current: unknown = value;
  for (const step of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, step)) return undefined;
    if (Array.isArray(current) !== (typeof step === "number")) return undefined;
    current = (current as Readonly<Record<PathStep, unknown>>)[step];
  }
  return current as Json | undefined;
}

/** A path in one of some values; sometimes one that does not exist. It has at least one step. */
export function generatePath(random: Random, values: readonly (Json | undefined)[]): readonly PathStep[] {
  const paths = values.flatMap(pathsIn).filter((path) => path.length > 0);
  const found = paths.length === 0 ? ["absent"] : random.pick(paths);
  if (random.chance(0.9)) return found;
  return random.pick([[...found, "absent"], [...found, 0], [...found.slice(0, -1), "absent"], ["absent"]]);
}
