// SPDX-License-Identifier: Apache-2.0
import type { Path } from "@tenon/cty";
import { decodePlain } from "../conversion/decode.ts";
import { pathText } from "../conversion/problem.ts";
import type { RelatedChange } from "../definition/attribute-options.ts";
import { matchedPlaces, type Place } from "../shape/matched-places.ts";
import { exactSteps, type ExpressionStep, PathExpression, resolved } from "../paths/path-expression.ts";
import { isSame } from "../shape/part.ts";
import type { ElementChange, WholeChange } from "./change-parts.ts";

/**
 * Returns the changes of the parts that match an expression, relative to the attribute at `path`. It includes parts that exist only in the
 * recorded or only in the planned value.
 *
 * @param element the element of a set that contains the attribute; `path` then ends at the set.
 * @throws RangeError if the expression leads above the root.
 */
export function relatedChanges(
  root: WholeChange,
  path: Path,
  expression: PathExpression,
  element: ElementChange | undefined,
): readonly RelatedChange[] {
  const { inside, steps } = positionOf(expression, path, element);
  const { shape, parts } = inside ?? root;
  const { config, planned, prior } = parts();
  const [configured, before, after] = [config, prior, planned].map((value) => byName(matchedPlaces(shape, value, steps)));
  return [...new Set([...after!.keys(), ...before!.keys()])].map((name) => {
    const [then, now] = [before!.get(name), after!.get(name)];
    return {
      name: inside === undefined ? name : `${elementText(inside)}.${name}`,
      config: plainValue(configured!.get(name)),
      planned: plainValue(now),
      state: plainValue(then),
      changes: then === undefined || now === undefined || !isSame(then.value, now.value),
    };
  });
}

/** Returns the start of an expression, an element of a set or undefined for the root, and its steps from there. */
function positionOf(
  expression: PathExpression,
  path: Path,
  element: ElementChange | undefined,
): { readonly inside: ElementChange | undefined; readonly steps: readonly ExpressionStep[] } {
  if (element === undefined || expression.isFromRoot) return { inside: undefined, steps: resolved(expression, exactSteps(path)) };
  let inside: ElementChange | undefined = element;
  const steps = [...exactSteps(element.path)];
  for (const [index, step] of expression.steps.entries()) {
    if (step.kind !== "parent") steps.push(step);
    else if (steps.pop() === undefined) {
      // The parent of an element is its set.
      steps.push(...exactSteps(inside.set));
      inside = inside.outer;
      if (inside === undefined) return { inside, steps: resolved(new PathExpression(expression.steps.slice(index + 1), false), steps) };
    }
  }
  return { inside, steps };
}

/** Formats the path of an element of a set: `rules[...]`, as in other messages, because the element has no key. */
function elementText({ set, outer }: ElementChange): string {
  return `${outer === undefined ? "" : `${elementText(outer)}.`}${pathText(set)}[...]`;
}

function byName(places: readonly Place[]): ReadonlyMap<string, Place> {
  return new Map(places.map((place) => [pathText(place.path), place]));
}

function plainValue(place: Place | undefined): unknown {
  return place === undefined ? null : decodePlain(place.shape, place.value, { unknown: true, null: true }).value;
}
