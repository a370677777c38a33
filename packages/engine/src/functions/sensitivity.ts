// SPDX-License-Identifier: Apache-2.0
import { bool, dynamic, isKnown, isNull, mark, marks, nullOf, of, unknown, unmark, withMarks } from "@tenon/cty";
import { defineFunction, type CtyFunction, type FunctionSpec } from "@tenon/cty/function";
import { transform } from "@tenon/cty/paths";
import { EPHEMERAL, isEphemeral, isSensitive, SENSITIVE } from "../marks/value-marks.ts";

const anything = {
  name: "value",
  type: dynamic,
  allowUnknown: true,
  allowNull: true,
  allowMarked: true,
  allowDynamicType: true,
} as const;

/** Creates a function of one argument that returns a value of the argument's type. */
function ofAnything(description: string, impl: FunctionSpec["impl"]): CtyFunction {
  return defineFunction({ description, params: [anything], type: ([value]) => value.type, impl });
}

/**
 * The value, marked as sensitive.
 *
 * @see OpenTofu funcs.SensitiveFunc
 */
export const sensitiveFunction: CtyFunction = ofAnything("Marks a value as sensitive.", ([value]) => mark(value!, SENSITIVE));

/**
 * The value without the sensitive mark. Its elements and attributes keep their marks.
 *
 * @see OpenTofu funcs.NonsensitiveFunc
 */
export const nonsensitiveFunction: CtyFunction = ofAnything("Removes the sensitive mark from a value.", ([value]) => {
  const [plain, ownMarks] = unmark(value!);
  return withMarks(plain, without(ownMarks, SENSITIVE));
});

/**
 * Whether the value is sensitive; unknown for an unknown value, because its final value may carry other marks.
 *
 * @see OpenTofu funcs.IsSensitiveFunc
 */
export const isSensitiveFunction: CtyFunction = defineFunction({
  description: "Returns whether a value is marked as sensitive.",
  params: [anything],
  type: bool,
  refineResult: { notNull: true },
  impl: ([value]) => (isKnown(value) ? of(bool, isSensitive(value)) : unknown(bool)),
});

/**
 * The value with null instead of each ephemeral part, so that it can be stored.
 *
 * @see OpenTofu funcs.EphemeralAsNullFunc
 */
export const ephemeralAsNullFunction: CtyFunction = ofAnything("Replaces each ephemeral part of a value with null.", ([value]) =>
  transform(value!, (_, part) => {
    const kept = without(marks(part), EPHEMERAL);
    if (isNull(part) || isEphemeral(part)) {
      return isKnown(part) ? withMarks(nullOf(part.type), kept) : withMarks(unknown(part.type), kept);
    }
    return isKnown(part) ? part : withMarks(unknown(part.type), kept);
  }),
);

function without(found: ReadonlySet<unknown>, removed: unknown): ReadonlySet<unknown> {
  return new Set([...found].filter((each) => each !== removed));
}
