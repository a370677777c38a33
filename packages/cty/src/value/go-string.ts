// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints } from "../text/code-point-order.ts";
import { goQuote } from "../text/go-quote.ts";
import { binaryOf, numberText, precisionOf } from "../number/number.ts";
import type { NumberPayload } from "../payload/number-payload.ts";
import { doubleGoText, exactDouble } from "../binary/double.ts";
import { shortestScientificText } from "../number/text.ts";
import { isInteger } from "../binary/binary.ts";
import { type CapsulePayload, type Mark, type Payload, type Refinement, isMarkedPayload, isUnknownPayload } from "../payload/payload.ts";
import { dynamic, isCollectionType, partType } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import { capitalised, typeGoString } from "../type/type-names.ts";

/**
 * Returns a value as Go's `%#v` prints it. Several marks are sorted.
 *
 * @see go-cty Value.GoString
 */
export function valueGoString(type: Type, payload: Payload): string {
  if (isMarkedPayload(payload)) {
    const inner = valueGoString(type, payload.payload);
    const marks = [...payload.marks].map(markText).sort(compareCodePoints);
    return marks.length === 1 ? `${inner}.Mark(${marks[0]})` : `${inner}.WithMarks(cty.NewValueMarks(${marks.join(", ")}))`;
  }
  if (payload === null) return `cty.NullVal(${typeGoString(type)})`;
  if (isUnknownPayload(payload)) {
    return type === dynamic ? "cty.DynamicVal" : `cty.UnknownVal(${typeGoString(type)})${refinementText(payload.refinement)}`;
  }
  switch (type.kind) {
    case "bool":
      return payload === true ? "cty.True" : "cty.False";
    case "number":
      return numberGoString(payload as NumberPayload);
    case "string":
      return `cty.StringVal(${goQuote(payload as string)})`;
    case "capsule": {
      const { native } = payload as CapsulePayload;
      return type.ops.goString?.(native) ?? `cty.CapsuleVal(${typeGoString(type)}, (*${className(native)}))`;
    }
    default:
      return compoundGoString(type, payload);
  }
}

function compoundGoString(type: Type, payload: Payload): string {
  const name = capitalised(type.kind);
  const isMap = payload instanceof Map;
  const keys = type.kind === "object" ? type.names : isMap ? [...payload.keys()] : undefined;
  const parts = [...(payload as readonly Payload[] | ReadonlyMap<string, Payload>).values()].map((part, index) => {
    const text = valueGoString(partType(type, index), part);
    return keys ? `${goQuote(keys[index] ?? "")}:${text}` : text;
  });
  if (parts.length === 0) return isCollectionType(type) ? `cty.${name}ValEmpty(${typeGoString(type.element)})` : `cty.Empty${name}Val`;
  return `cty.${name}Val(${keys ? "map[string]" : "[]"}cty.Value{${parts.join(", ")}})`;
}

function numberGoString(x: NumberPayload): string {
  const binary = binaryOf(x);
  if (isInteger(binary)) return `cty.NumberIntVal(${shortestScientificText(binary, precisionOf(x))})`;
  const double = exactDouble(binary);
  return double === undefined ? `cty.MustParseNumberVal(${goQuote(numberText(x))})` : `cty.NumberFloatVal(${doubleGoText(double)})`;
}

function refinementText(refinement: Refinement | undefined): string {
  if (refinement === undefined) return "";
  const calls = [
    refinement.notNull ? ".NotNull()" : "",
    refinement.prefix ? `.StringPrefixFull(${goQuote(refinement.prefix)})` : "",
    refinement.min ? `.NumberLowerBound(${numberGoString(refinement.min.value)}, ${refinement.min.inclusive})` : "",
    refinement.max ? `.NumberUpperBound(${numberGoString(refinement.max.value)}, ${refinement.max.inclusive})` : "",
    refinement.lengthMin ? `.CollectionLengthLowerBound(${refinement.lengthMin})` : "",
    refinement.lengthMax === undefined ? "" : `.CollectionLengthUpperBound(${refinement.lengthMax})`,
  ].join("");
  return calls === ".NotNull()" ? ".RefineNotNull()" : `.Refine()${calls}.NewValue()`;
}

/** Returns the name of a native's class. The native's content must not get into messages; Go prints the type and address of a pointer. */
function className(native: unknown): string {
  const constructor: unknown = typeof native === "object" && native?.constructor;
  return typeof constructor === "function" ? constructor.name : typeof native;
}

function markText(mark: Mark): string {
  return typeof mark === "string" ? goQuote(mark) : (mark as Partial<object> | null)?.toString ? String(mark) : className(mark);
}
