// SPDX-License-Identifier: Apache-2.0
import { containsMarked, goString, pathEquals, same, unmark, unmarkDeep, type Path, type PathStep, type Value } from "@tenon/cty";
import { isUnknownPayload, unmarkedPayload } from "@tenon/cty/unstable/payload";
import { hasParts, partAt, partsOf } from "../../model/value-parts.ts";
import type { Difference, DifferenceAction, DifferenceContent, DifferenceOptions } from "../difference.ts";

/**
 * The two values at one path, before and after.
 * A null attribute counts as absent. A null element of a list or map is present: its `isPresent` is true.
 */
export interface ValuePair {
  readonly before: Side;
  readonly after: Side;
  /** Whether the value after is unknown. `attributes`: its attributes are unknown, and are compared one by one. */
  readonly unknown: boolean | "attributes";
  readonly requiresReplace: readonly Path[];
  /** The rests of the paths to which the comparison is limited; undefined without a limit. */
  readonly relevantPaths?: readonly Path[] | undefined;
  readonly isSensitiveMark: (mark: unknown) => boolean;
  /** Whether a set with a sensitive attribute in one of its elements is hidden as a whole. */
  readonly hidesSets: boolean;
  /**
   * The sides on which the value is inside of blocks that are sensitive as a whole. Nothing labels its parts there: the blocks hide them. As in
   * the cores, such a part is not sensitive.
   */
  readonly hidden: { readonly before: boolean; readonly after: boolean };
}

/** Value on one side. */
export interface Side {
  /** The value, unmarked at the top; absent where it is null or unknown. */
  readonly value?: Value;
  /** Whether an element exists on this side, even if it is null. */
  readonly isPresent: boolean;
  /** Whether the value must not be shown. */
  readonly sensitive: boolean;
}

/** Side without a value. */
export const nothing: Side = { isPresent: false, sensitive: false };

/** Creates the pair of two whole values. */
export function rootPair(before: Value, after: Value, options: DifferenceOptions): ValuePair {
  return pairOf(
    before,
    after,
    {
      requiresReplace: options.requiresReplace ?? [],
      relevantPaths: options.relevantPaths,
      isSensitiveMark: options.isSensitiveMark ?? (() => true),
      hidesSets: options.hidesSets ?? true,
      hidden: { before: false, after: false },
    },
    false,
  );
}

/** Returns the pair of attributes or elements at a step. */
export function childPair(pair: ValuePair, step: PathStep, isElement: boolean): ValuePair {
  const before = childOf(pair.before, step);
  const after = childOf(pair.after, step);
  const options = within(pair, step);
  const relevantPaths = pair.relevantPaths && relevantWithin(pair.relevantPaths, step);
  // What is not relevant stays as it was.
  if (relevantPaths?.length === 0) return pairOf(before, before, options, isElement);
  const child = pairOf(before, after, relevantPaths === undefined ? options : { ...options, relevantPaths }, isElement);
  return pair.unknown === "attributes" && step.kind === "attribute" ? { ...child, unknown: true } : child;
}

/** Creates the pair of two matched elements of a list or set. An element is absent where the other has no match. */
export function elementPair(pair: ValuePair, step: PathStep, before: Value | undefined, after: Value | undefined): ValuePair {
  return pairOf(before, after, within(pair, step), true);
}

type PairOptions = Pick<ValuePair, "requiresReplace" | "relevantPaths" | "isSensitiveMark" | "hidesSets" | "hidden">;

/** The rests of the relevant paths behind a step. All below the end of a path is relevant. */
function relevantWithin(paths: readonly Path[], step: PathStep): readonly Path[] {
  return paths.flatMap((path) => {
    const [first, ...rest] = path;
    if (first === undefined) return [path];
    return stepText(first) === stepText(step) ? [rest] : [];
  });
}

/** The name or key of a step. A key may be written as an attribute, and a number as text. */
function stepText(step: PathStep): string {
  if (step.kind === "attribute") return step.name;
  const [key] = unmark(step.key);
  return typeof key.payload === "string" || typeof key.payload === "number" ? String(key.payload) : goString(key);
}

function within({ requiresReplace, isSensitiveMark, hidesSets, hidden }: ValuePair, step: PathStep): PairOptions {
  return {
    requiresReplace: requiresReplace.length === 0 ? requiresReplace : restsOf(requiresReplace, step),
    isSensitiveMark,
    hidesSets,
    hidden,
  };
}

/** The rests of the paths behind a step. */
function restsOf(paths: readonly Path[], step: PathStep): readonly Path[] {
  const rests: Path[] = [];
  for (const path of paths) if (path[0] && pathEquals([path[0]], [step])) rests.push(path.slice(1));
  return rests;
}

function childOf(side: Side, step: PathStep): Value | undefined {
  return side.value ? partAt(side.value, step) : undefined;
}

function pairOf(before: Value | undefined, after: Value | undefined, options: PairOptions, isElement: boolean): ValuePair {
  const { requiresReplace, relevantPaths, isSensitiveMark, hidesSets, hidden } = options;
  return {
    before: sideOf(before, options, isElement, hidden.before),
    after: sideOf(after, options, isElement, hidden.after),
    unknown: after !== undefined && isUnknownPayload(unmarkedPayload(after.payload)),
    requiresReplace,
    relevantPaths,
    isSensitiveMark,
    hidesSets,
    hidden,
  };
}

function sideOf(value: Value | undefined, { isSensitiveMark }: PairOptions, isElement: boolean, isHidden: boolean): Side {
  if (value === undefined) return nothing;
  const unmarked = unmark(value);
  const plain = unmarked[0];
  const sensitive = !isHidden && unmarked[1].size > 0 && [...unmarked[1]].some(isSensitiveMark);
  if (plain.payload !== null && !isUnknownPayload(plain.payload)) return { isPresent: isElement, sensitive, value: plain };
  return !isElement && !sensitive ? nothing : { isPresent: isElement, sensitive };
}

/** Returns the pair of a delete of the value before. */
export function asDelete(pair: ValuePair, unknown: ValuePair["unknown"] = false): ValuePair {
  return { ...pair, after: nothing, unknown };
}

/** Returns the pair of a create of the value after. */
export function asCreate(pair: ValuePair): ValuePair {
  return { ...pair, before: nothing };
}

/**
 * Returns the action on a value whose parts are not compared. As in the cores, an element that was null and becomes unknown counts as unchanged.
 *
 * @see OpenTofu jsonformat/structured/change.go, CalculateAction
 */
export function wholeAction({ before, after, unknown }: ValuePair): DifferenceAction {
  if (unknown === true && before.isPresent && before.value === undefined) return before.sensitive === after.sensitive ? "noOp" : "update";
  const wasPresent = before.isPresent || before.value !== undefined;
  const willBePresent = after.isPresent || after.value !== undefined || unknown === true;
  if (!wasPresent && willBePresent) return "create";
  if (wasPresent && !willBePresent) return "delete";
  const equal =
    sameSides(before, after) && unknown !== true && before.isPresent === after.isPresent && before.sensitive === after.sensitive;
  return equal ? "noOp" : "update";
}

/** Returns the action on a composite value, before the actions on its parts are added. */
export function startingAction({ before, after }: ValuePair): DifferenceAction {
  if (before.value === undefined) return after.value === undefined ? "noOp" : "create";
  return after.value === undefined ? "delete" : "noOp";
}

/** Adds the action on a part to the action on the whole. */
export function combinedAction(whole: DifferenceAction, part: DifferenceAction): DifferenceAction {
  if (part === "noOp") return whole;
  return whole === part ? whole : "update";
}

function sameSides(before: Side, after: Side): boolean {
  if (before.value === undefined || after.value === undefined) return before.value === after.value;
  return sameUnmarked(before.value, after.value);
}

/** Whether two values are equal apart from their marks. */
export function sameUnmarked(a: Value, b: Value): boolean {
  if (!containsMarked(a) && !containsMarked(b)) return same(a, b);
  return same(unmarkDeep(a)[0], unmarkDeep(b)[0]);
}

/**
 * Whether two elements have the same JSON, in which an unknown element is null.
 *
 * @see OpenTofu internal/command/jsonplan omitUnknowns
 */
export function sameElements(a: Value, b: Value): boolean {
  if (sameUnmarked(a, b)) return true;
  const [of, by] = [unmark(a)[0], unmark(b)[0]];
  if (!hasParts(of) || !hasParts(by)) return !hasParts(of) && !hasParts(by);
  if (!isArray(of) || !isArray(by)) return false;
  const [parts, others] = [partsOf(of), partsOf(by)];
  return parts.length === others.length && parts.every(({ value }, index) => sameElements(value, others[index]!.value));
}

function isArray({ type: { kind } }: Value): boolean {
  return kind === "list" || kind === "tuple" || kind === "set";
}

/** Whether there is no value on either side. */
export function isAbsent({ before, after }: ValuePair): boolean {
  return before.value === undefined && after.value === undefined;
}

/** Creates the difference of a pair. */
export function differenceAt(pair: ValuePair, action: DifferenceAction, content: DifferenceContent): Difference {
  const forcesReplacement = pair.requiresReplace.length > 0 && pair.requiresReplace.some((path) => path.length === 0);
  const before = pair.before.value;
  const after = pair.after.value;
  if (before === undefined)
    return after === undefined ? { action, forcesReplacement, content } : { action, forcesReplacement, after, content };
  return after === undefined ? { action, forcesReplacement, before, content } : { action, forcesReplacement, before, after, content };
}
