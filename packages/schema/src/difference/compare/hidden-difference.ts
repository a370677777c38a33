// SPDX-License-Identifier: Apache-2.0
import type { Difference, DifferenceAction } from "../difference.ts";
import { asDelete, differenceAt, isAbsent, wholeAction, type ValuePair } from "./value-pair.ts";

/**
 * Compares a value that may be sensitive or become unknown. `inside` compares the values themselves.
 *
 * @param childUnknown - Unknown parts of a value that is deleted because its successor is unknown.
 * @param actionOfUnknown - The action on an unknown value without one before it.
 */
export function hiddenOr(
  pair: ValuePair,
  inside: (pair: ValuePair) => Difference,
  childUnknown: ValuePair["unknown"] = false,
  actionOfUnknown: (pair: ValuePair) => DifferenceAction = wholeAction,
): Difference {
  const { before, after } = pair;
  if (before.sensitive || after.sensitive) {
    const inner = hiddenOr(
      // Inside, no mark counts, also where only a part of the other side is sensitive.
      { ...pair, isSensitiveMark: () => false, before: { ...before, sensitive: false }, after: { ...after, sensitive: false } },
      inside,
      childUnknown,
      actionOfUnknown,
    );
    const isNothing = isAbsent(pair) && !before.isPresent && !after.isPresent;
    const action = inner.action === "noOp" && before.sensitive !== after.sensitive && !isNothing ? "update" : inner.action;
    return differenceAt(pair, action, { kind: "sensitive", inner, before: before.sensitive, after: after.sensitive });
  }
  if (pair.unknown !== true) return inside(pair);
  if (before.value === undefined) return differenceAt(pair, actionOfUnknown(pair), { kind: "unknown" });
  return differenceAt(pair, "update", { kind: "unknown", before: inside(asDelete(pair, childUnknown)) });
}
