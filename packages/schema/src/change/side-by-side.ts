// SPDX-License-Identifier: Apache-2.0
import { containsMarked, pathEquals, same, unmark, unmarkDeep, type Path, type PathStep, type Value } from "@tenon/cty";
import { isUnknown, partAt } from "../model/value-parts.ts";
import type { Difference, DifferenceAction, DifferenceContent, DifferenceOptions } from "./difference.ts";

/**
 * One place in two values, side by side, on the way down.
 *
 * Null counts as nothing in an attribute, but as something in a list or map, where the element is there and is null: `there` says
 * which.
 */
export interface Change {
  readonly before: Side;
  readonly after: Side;
  /** It is not known what will be there. `attributes`: only the attributes inside are unknown, which must still be told of. */
  readonly unknown: boolean | "attributes";
  readonly requiresReplace: readonly Path[];
  readonly isSensitiveMark: (mark: unknown) => boolean;
}

/** What is at the place in one of the values. */
export interface Side {
  /** Not null, not unknown, without a mark at its top. */
  readonly value?: Value;
  /** There is an element, be it null. */
  readonly there: boolean;
  readonly sensitive: boolean;
}

export const nothing: Side = { there: false, sensitive: false };

/** The two values a difference is asked of. */
export function rootChange(before: Value, after: Value, options: DifferenceOptions): Change {
  return changeOf(
    before,
    after,
    { requiresReplace: options.requiresReplace ?? [], isSensitiveMark: options.isSensitiveMark ?? (() => true) },
    false,
  );
}

/** The attribute or element that one step further is found in either value. */
export function childChange(change: Change, step: PathStep, isElement: boolean): Change {
  const unknown = change.unknown === "attributes" && step.kind === "attribute";
  const child = changeOf(childOf(change.before, step), childOf(change.after, step), within(change, step), isElement);
  return unknown ? { ...child, unknown: true } : child;
}

/** Elements of a list or set that were matched; absent where there is none on that side. */
export function elementChange(change: Change, step: PathStep, before: Value | undefined, after: Value | undefined): Change {
  return changeOf(before, after, within(change, step), true);
}

type Surroundings = Pick<Change, "requiresReplace" | "isSensitiveMark">;

function within(change: Change, step: PathStep): Surroundings {
  const requiresReplace: Path[] = [];
  for (const path of change.requiresReplace) if (path[0] && pathEquals([path[0]], [step])) requiresReplace.push(path.slice(1));
  return { requiresReplace, isSensitiveMark: change.isSensitiveMark };
}

function childOf(side: Side, step: PathStep): Value | undefined {
  return side.value ? partAt(side.value, step) : undefined;
}

function changeOf(before: Value | undefined, after: Value | undefined, surroundings: Surroundings, isElement: boolean): Change {
  const [plainAfter, ofAfter] = sideOf(after, surroundings, isElement);
  const [, ofBefore] = sideOf(before, surroundings, isElement);
  return { before: ofBefore, after: ofAfter, unknown: plainAfter !== undefined && isUnknown(plainAfter), ...surroundings };
}

function sideOf(value: Value | undefined, { isSensitiveMark }: Surroundings, isElement: boolean): readonly [Value | undefined, Side] {
  if (value === undefined) return [undefined, nothing];
  const [plain, marks] = unmark(value);
  const sensitive = [...marks].some(isSensitiveMark);
  const known = plain.payload !== null && !isUnknown(plain);
  return [plain, { there: isElement, sensitive, ...(known ? { value: plain } : {}) }];
}

/** The change as if what is there went, and nothing came. */
export function asDelete(change: Change, unknown: Change["unknown"] = false): Change {
  return { ...change, after: nothing, unknown };
}

/** The change as if nothing had been there. */
export function asCreate(change: Change): Change {
  return { ...change, before: nothing };
}

/** The action of something whose parts are not compared. */
export function wholeAction({ before, after, unknown }: Change): DifferenceAction {
  const wasThere = before.there || before.value !== undefined;
  const willBeThere = after.there || after.value !== undefined || unknown === true;
  if (!wasThere && willBeThere) return "create";
  if (wasThere && !willBeThere) return "delete";
  const equal = sameSides(before, after) && unknown !== true && before.there === after.there && before.sensitive === after.sensitive;
  return equal ? "noOp" : "update";
}

/** The action that the actions of the parts are added to. */
export function startingAction({ before, after }: Change): DifferenceAction {
  if (before.value === undefined) return after.value === undefined ? "noOp" : "create";
  return after.value === undefined ? "delete" : "noOp";
}

/** The action of the whole, when a part has one too. */
export function combinedAction(whole: DifferenceAction, part: DifferenceAction): DifferenceAction {
  if (part === "noOp") return whole;
  return whole === part ? whole : "update";
}

function sameSides(before: Side, after: Side): boolean {
  if (before.value === undefined || after.value === undefined) return before.value === after.value;
  return sameUnmarked(before.value, after.value);
}

/** Are they the same value, whatever marks are on it or inside? */
export function sameUnmarked(a: Value, b: Value): boolean {
  if (!containsMarked(a) && !containsMarked(b)) return same(a, b);
  return same(unmarkDeep(a)[0], unmarkDeep(b)[0]);
}

/** Nothing is there on either side, and nothing is said of it. */
export function isAbsent({ before, after }: Change): boolean {
  return before.value === undefined && after.value === undefined;
}

/** A difference at the place. */
export function differenceAt(change: Change, action: DifferenceAction, content: DifferenceContent): Difference {
  return {
    action,
    forcesReplacement: change.requiresReplace.some((path) => path.length === 0),
    ...(change.before.value ? { before: change.before.value } : {}),
    ...(change.after.value ? { after: change.after.value } : {}),
    content,
  };
}
