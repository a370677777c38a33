// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints } from "./code-point-order.ts";
import { goQuote } from "./go-quote.ts";
import { binaryOf, numberText, precisionOf, type NumberPayload } from "./number/number.ts";
import { doubleGoText, exactDouble } from "./number/double.ts";
import { shortestScientificText } from "./number/text.ts";
import { isInteger } from "./number/binary.ts";
import type { CapsulePayload, Mark, Payload, Refinement } from "./payload.ts";
import { isMarkedPayload, isUnknownPayload } from "./payload.ts";
import type { Type } from "./type.ts";
import { typeGoString } from "./type-names.ts";

/**
 * A value as Go's `%#v` prints it. Several marks are sorted.
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
    return type.kind === "dynamic" ? "cty.DynamicVal" : `cty.UnknownVal(${typeGoString(type)})${refinementText(payload.refinement)}`;
  }
  switch (type.kind) {
    case "bool":
      return payload === true ? "cty.True" : "cty.False";
    case "number":
      return numberGoString(payload as NumberPayload);
    case "string":
      return `cty.StringVal(${goQuote(payload as string)})`;
    case "list":
    case "set": {
      const name = type.kind === "list" ? "List" : "Set";
      const elements = payload as readonly Payload[];
      if (elements.length === 0) return `cty.${name}ValEmpty(${typeGoString(type.element)})`;
      return `cty.${name}Val(${values(elements.map((element) => valueGoString(type.element, element)))})`;
    }
    case "map": {
      const elements = [...(payload as ReadonlyMap<string, Payload>)];
      if (elements.length === 0) return `cty.MapValEmpty(${typeGoString(type.element)})`;
      return `cty.MapVal(${namedValues(elements.map(([key, element]) => [key, valueGoString(type.element, element)]))})`;
    }
    case "tuple": {
      const elements = payload as readonly Payload[];
      if (elements.length === 0) return "cty.EmptyTupleVal";
      return `cty.TupleVal(${values(elements.map((element, index) => valueGoString(type.elements[index]!, element)))})`;
    }
    case "object": {
      const slots = payload as readonly Payload[];
      if (slots.length === 0) return "cty.EmptyObjectVal";
      return `cty.ObjectVal(${namedValues(type.names.map((name, index) => [name, valueGoString(type.attributes[name]!, slots[index]!)]))})`;
    }
    case "capsule": {
      const { native } = payload as CapsulePayload;
      return type.ops.goString?.(native) ?? `cty.CapsuleVal(${typeGoString(type)}, ${markText(native)})`;
    }
    default:
      return "cty.DynamicVal";
  }
}

function values(texts: readonly string[]): string {
  return `[]cty.Value{${texts.join(", ")}}`;
}

function namedValues(texts: readonly (readonly [string, string])[]): string {
  return `map[string]cty.Value{${texts.map(([name, text]) => `${goQuote(name)}:${text}`).join(", ")}}`;
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

function markText(mark: Mark): string {
  return typeof mark === "string" ? goQuote(mark) : String(mark);
}
