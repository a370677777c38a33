// SPDX-License-Identifier: Apache-2.0
import { length } from "../../../operators/indexing.ts";
import { unmark, withMarks } from "../../../value/marks.ts";
import type { Mark } from "../../../payload/payload.ts";
import { dynamic, tuple } from "../../../type/type.ts";
import { tupleOf, unknown } from "../../../construction/value-init.ts";
import { isKnown, isNull, isWhollyKnown } from "../../../equality/value-ops.ts";
import type { Value } from "../../../model/value.ts";
import { callError } from "../../error.ts";
import { defineFunction, type CtyFunction } from "../../function.ts";
import { countOf, partsOf } from "../argument/native.ts";
import { isSequence } from "./sequence.ts";

/**
 * A tuple of the elements of a list, set or tuple. Lists, sets and tuples inside it, at any depth, are replaced by their elements.
 *
 * @example
 * flattenFunc.call([of(dynamic, [["a", ["b"]], "c"])])
 * // => cty.TupleVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b"), cty.StringVal("c")})
 *
 * @see go-cty stdlib.FlattenFunc
 */
export const flattenFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Replaces lists inside a list by their elements.",
  params: [{ name: "list", type: dynamic, allowMarked: true }],
  type: ([sequence]) => {
    if (!isWhollyKnown(sequence)) return dynamic;
    if (!isSequence(sequence.type)) throw callError("can only flatten lists, sets and tuples");
    const { parts, complete } = flattened(sequence);
    return complete ? tuple(...parts.map((part) => part.type)) : dynamic;
  },
  refineResult: { notNull: true },
  impl: ([sequence], type) => {
    const [plain, marks] = unmark(sequence);
    if (countOf(plain) === 0) return withMarks(tupleOf([]), marks);
    const { parts, marks: allMarks, complete } = flattened(sequence);
    return withMarks(complete ? tupleOf(parts) : unknown(type), ...allMarks);
  },
});

interface Flattened {
  readonly parts: readonly Value[];
  readonly marks: readonly ReadonlySet<Mark>[];
  /** Whether the number and the types of all parts are known. */
  readonly complete: boolean;
}

function flattened(marked: Value): Flattened {
  const [sequence, ownMarks] = unmark(marked);
  const marks: ReadonlySet<Mark>[] = [ownMarks];
  if (!isKnown(length(sequence))) return { parts: [], marks, complete: false };
  const parts: Value[] = [];
  let complete = true;
  for (const part of partsOf(sequence)) {
    // A part of unknown type may become a list.
    if (part.type === dynamic && !isKnown(part) && unmark(part)[1].size === 0) complete = false;
    if (isNull(part) || !isSequence(part.type)) {
      parts.push(part);
    } else if (isKnown(part)) {
      const inner = flattened(part);
      marks.push(...inner.marks);
      if (inner.complete) parts.push(...inner.parts);
      else complete = false;
    } else {
      complete = false;
      marks.push(unmark(part)[1]);
    }
  }
  return { parts, marks, complete };
}
