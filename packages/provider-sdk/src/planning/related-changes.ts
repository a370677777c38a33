// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import { decodePlain } from "../conversion/decode.ts";
import { pathText } from "../conversion/problem.ts";
import type { RelatedChange } from "../definition/attribute-options.ts";
import { matchedPlaces, type Place } from "../paths/matched-places.ts";
import { exactSteps, type ExpressionStep, PathExpression, resolved } from "../paths/path-expression.ts";
import type { ObjectShape } from "../schema/shape.ts";
import { isSame } from "./part.ts";
import type { Settled } from "./settle.ts";

/** A whole resource, as plan modifiers may look at it. */
export interface WholeChange {
  readonly shape: ObjectShape;
  /** Worked out when a modifier looks, which few do. */
  readonly parts: () => Settled;
}

/**
 * An element of a set while it is planned, with what it was and what is configured for it. No path leads into it, as it has no key: what is
 * around it is found from here.
 */
export interface ElementChange extends WholeChange {
  /** From the element to what is being planned in it. */
  readonly path: Path;
  /** Where the set is: in the resource, or in the element that it is in itself. */
  readonly set: Path;
  readonly outer: ElementChange | undefined;
}

/**
 * The places that an expression leads to, from the attribute at `path`: those that are there before or afterwards.
 *
 * @param element the element that the attribute is in; `path` ends at the set then
 * @throws RangeError where it leads to above the root.
 */
export function relatedChanges(
  root: WholeChange,
  path: Path,
  expression: PathExpression,
  element: ElementChange | undefined,
): readonly RelatedChange[] {
  const { inside, steps } = followed(expression, path, element);
  const { shape, parts } = inside ?? root;
  const { config, planned, prior } = parts();
  const [configured, before, after] = [config, prior, planned].map((value) => byName(matchedPlaces(shape, value, steps)));
  return [...new Set([...after!.keys(), ...before!.keys()])].map((name) => {
    const [then, now] = [before!.get(name), after!.get(name)];
    return {
      name: inside === undefined ? name : `${elementText(inside)}.${name}`,
      config: shown(configured!.get(name)),
      planned: shown(now),
      state: shown(then),
      changes: then === undefined || now === undefined || !isSame(then.value, now.value),
    };
  });
}

/** The element of a set that an expression stays in, or undefined, and the steps from there. */
function followed(
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
      // Around an element is its set.
      steps.push(...exactSteps(inside.set));
      inside = inside.outer;
      if (inside === undefined) return { inside, steps: resolved(new PathExpression(expression.steps.slice(index + 1), false), steps) };
    }
  }
  return { inside, steps };
}

/** `rules[...]`, as other messages have it: which of the elements it is cannot be said. */
function elementText({ set, outer }: ElementChange): string {
  return `${outer === undefined ? "" : `${elementText(outer)}.`}${pathText(set)}[...]`;
}

function byName(places: readonly Place[]): ReadonlyMap<string, Place> {
  return new Map(places.map((place) => [pathText(place.path), place]));
}

function shown(place: Place | undefined): unknown {
  return place === undefined ? null : valueShown(place, place.value);
}

function valueShown({ shape }: Place, value: Value): unknown {
  return decodePlain(shape, value, { unknown: true, null: true }).value;
}
