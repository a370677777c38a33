// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import { decodePlain } from "../conversion/decode.ts";
import { pathText } from "../conversion/problem.ts";
import type { RelatedChange } from "../definition/attribute-options.ts";
import { matchedPlaces, type Place } from "../paths/matched-places.ts";
import { exactSteps, resolved, type PathExpression } from "../paths/path-expression.ts";
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
 * The places that an expression leads to, from the attribute at `path`: those that are there before or afterwards.
 *
 * @throws RangeError where it leads to above the root.
 */
export function relatedChanges({ shape, parts }: WholeChange, path: Path, expression: PathExpression): readonly RelatedChange[] {
  const steps = resolved(expression, exactSteps(path));
  const { config, planned, prior } = parts();
  const [configured, before, after] = [config, prior, planned].map((value) => byName(matchedPlaces(shape, value, steps)));
  return [...new Set([...after!.keys(), ...before!.keys()])].map((name) => {
    const [then, now] = [before!.get(name), after!.get(name)];
    return {
      name,
      config: shown(configured!.get(name)),
      planned: shown(now),
      state: shown(then),
      changes: then === undefined || now === undefined || !isSame(then.value, now.value),
    };
  });
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
