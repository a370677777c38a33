// SPDX-License-Identifier: Apache-2.0
import type { Difference } from "./difference.ts";
import { asDelete, differenceAt, isAbsent, wholeAction, type Change } from "./side-by-side.ts";

/**
 * The difference at a place that perhaps must not be shown, or where it is not known what will be there. `inside` compares what is
 * there if neither is so.
 *
 * @param childUnknown - What is unknown inside a value that goes because its successor is unknown.
 */
export function hiddenOr(change: Change, inside: (change: Change) => Difference, childUnknown: Change["unknown"] = false): Difference {
  const { before, after } = change;
  if (before.sensitive || after.sensitive) {
    const inner = hiddenOr(
      { ...change, before: { ...before, sensitive: false }, after: { ...after, sensitive: false } },
      inside,
      childUnknown,
    );
    const isNothing = isAbsent(change) && !before.there && !after.there;
    const action = inner.action === "noOp" && before.sensitive !== after.sensitive && !isNothing ? "update" : inner.action;
    return differenceAt(change, action, { kind: "sensitive", inner, before: before.sensitive, after: after.sensitive });
  }
  if (change.unknown !== true) return inside(change);
  if (before.value === undefined) return differenceAt(change, wholeAction(change), { kind: "unknown" });
  return differenceAt(change, "update", { kind: "unknown", before: inside(asDelete(change, childUnknown)) });
}
