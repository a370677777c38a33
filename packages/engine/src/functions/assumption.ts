// SPDX-License-Identifier: Apache-2.0
// The functions of OpenTofu 1.13 that state an assumption about a value. During a plan, an unknown value is then refined by the assumption.
import {
  CtyError,
  dynamic,
  equals,
  friendlyName,
  isKnown,
  list,
  map,
  number,
  refine,
  set,
  string,
  unmark,
  type CtyErrorCode,
  type Refinements,
  type Type,
  type Value,
} from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { argumentError, defineFunction, type CtyFunction, type Parameter } from "@tenon/cty/function";
import { markWithPaths, unmarkDeepWithPaths } from "@tenon/cty/paths";
import { stringOf } from "@tenon/cty/unstable/native";
import { numberToBigint, unmarkedPayload, type NumberPayload } from "@tenon/cty/unstable/payload";
import { EPHEMERAL, SENSITIVE } from "../marks/value-marks.ts";

const assumedValue = {
  description: "The value to make the assumption about.",
  allowNull: true,
  allowUnknown: true,
  allowDynamicType: true,
} as const;

/**
 * The second argument, as the value that the first one is assumed to have. Errors do not show the values.
 *
 * @see OpenTofu 1.13 funcs.AssumeEqualFunc
 */
export const assumeEqualFunction: CtyFunction = defineFunction({
  description: "Assumes that a value equals another one.",
  params: [
    { ...assumedValue, name: "actual_value", type: dynamic, allowMarked: true },
    {
      ...assumedValue,
      name: "expected_value",
      type: dynamic,
      allowMarked: true,
      description: "The value that the first argument must match.",
    },
  ],
  type: ([, expected]) => expected.type,
  impl: ([given, expected]) => {
    const actual = converted(given, expected.type);
    const [isEqual] = unmark(equals(actual, expected));
    if (isKnown(isEqual) && isEqual.payload === false) throw argumentError(0, "the actual value does not match the assumed value");
    // Both marks describe a value, and not where it comes from: the assumed value may be free of them.
    const [, pathMarks] = unmarkDeepWithPaths(actual);
    const otherMarks = pathMarks.map(({ path, marks }) => ({
      path,
      marks: new Set([...marks].filter((one) => one !== SENSITIVE && one !== EPHEMERAL)),
    }));
    return markWithPaths(
      expected,
      otherMarks.filter(({ marks }) => marks.size > 0),
    );
  },
});

function converted(value: Value, type: Type): Value {
  try {
    return convert(value, type);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const text = `actual value type ${friendlyName(value.type)} does not match assumed value type ${friendlyName(type)}`;
    throw argumentError(0, text);
  }
}

/** Codes of the errors about refinements that contradict a value or another refinement. */
const contradictions: ReadonlySet<CtyErrorCode> = new Set(["MISUSE", "NULL"]);

/** A function that returns its first argument with refinements, and fails where they contradict it. */
function refinement(
  type: Type,
  description: string,
  params: readonly Parameter[],
  refinementsOf: (value: Value, rest: readonly Value[]) => Refinements,
): CtyFunction {
  return defineFunction({
    description,
    params: [{ ...assumedValue, name: "value", type }, ...params],
    type,
    impl: ([value, ...rest]) => {
      const refinements = refinementsOf(value, rest);
      try {
        return refine(value, refinements);
      } catch (error) {
        if (error instanceof CtyError && contradictions.has(error.code)) throw argumentError(0, "assumption was not upheld");
        throw error;
      }
    },
  });
}

/**
 * The value, assumed not to be null.
 *
 * @see OpenTofu 1.13 funcs.AssumeNotNullFunc
 */
export const assumeNotNullFunction: CtyFunction = refinement(dynamic, "Assumes that a value is not null.", [], ({ type }) => {
  // The backslashes are those of OpenTofu's text.
  if (type === dynamic)
    throw argumentError(0, 'given value must have a known type; consider using the \\"convert\\" function to specify a type to assume');
  return { notNull: true };
});

/**
 * The text, assumed to begin with a prefix.
 *
 * @see OpenTofu 1.13 funcs.AssumeStringPrefixFunc
 */
export const assumeStringPrefixFunction: CtyFunction = refinement(
  string,
  "Assumes that a string has a prefix.",
  [{ name: "prefix", type: string, description: "The prefix to assume." }],
  (_, [prefix]) => ({ prefix: stringOf(prefix!) }),
);

/** Largest length in OpenTofu. A bound must be smaller. */
const largestLength = 2n ** 63n - 1n;

/**
 * Reads a bound of a length.
 *
 * @throws FunctionError of the argument, for a bound that is not a whole number below 2^63-1.
 */
function boundOf(value: Value, argument: number): bigint {
  const whole = numberToBigint(unmarkedPayload(value.payload) as NumberPayload);
  if (whole === undefined || whole >= largestLength || whole < -largestLength - 1n) {
    throw argumentError(argument, `must be a whole number between 0 and ${largestLength}`);
  }
  return whole;
}

const minParameter = (noun: string): Parameter => ({
  name: "min_length",
  type: number,
  description: `The minimum length of the ${noun}.`,
});
const maxParameter = (noun: string): Parameter => ({
  name: "max_length",
  type: number,
  description: `The maximum length of the ${noun}.`,
});

/** The refinement for a lower bound. Every length is greater than a negative bound. */
function lowerBound(bound: bigint): Refinements {
  return { lengthMin: bound < 0n ? 0 : bound };
}

/**
 * The functions about the lengths of collections, by name: `assumelistlength`, `assumelistlengthmin`, `assumelistlengthmax`, and the same
 * for sets and maps.
 *
 * @see OpenTofu 1.13 funcs.AssumeListLengthFunc
 */
export const assumeLengthFunctions: readonly (readonly [string, CtyFunction])[] = (
  [
    ["list", list(dynamic)],
    ["set", set(dynamic)],
    ["map", map(dynamic)],
  ] as const
).flatMap(([noun, type]) => [
  [
    `assume${noun}length`,
    refinement(
      type,
      `Assumes that the length of a ${noun} is between two bounds.`,
      [minParameter(noun), maxParameter(noun)],
      (_, [min, max]) => {
        const [from, to] = [boundOf(min!, 1), boundOf(max!, 2)];
        return { ...lowerBound(from), lengthMax: to };
      },
    ),
  ],
  // The errors about a single bound name the argument 0, as in OpenTofu.
  [
    `assume${noun}lengthmin`,
    refinement(type, `Assumes that the length of a ${noun} has a lower bound.`, [minParameter(noun)], (_, [min]) =>
      lowerBound(boundOf(min!, 0)),
    ),
  ],
  [
    `assume${noun}lengthmax`,
    refinement(type, `Assumes that the length of a ${noun} has an upper bound.`, [maxParameter(noun)], (_, [max]) => ({
      lengthMax: boundOf(max!, 0),
    })),
  ],
]);
