// SPDX-License-Identifier: Apache-2.0
import { isKnown, isMarked, isNull, range, unmark, friendlyName, type Value } from "@tenon/cty";
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import { variables } from "../analysis/variables.ts";
import { isDiagnostic } from "../evaluate/indexing.ts";
import { absoluteOutcome } from "../evaluate/traversing.ts";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import { markedName, traversalText, valueText } from "./value-text.ts";

/** A reference in an expression, and a statement about its value. */
export interface RelatedValue {
  /** The reference: `var.name`, `each.value["a"]`. */
  readonly traversal: string;
  /** Statement about the value: `is "a"`, `is list of string with 2 elements`. */
  readonly statement: string;
}

/** The kinds of values that caused the problem. They are described although they cannot be shown. */
export interface ValueCauses {
  /** Whether to describe unknown values by their types and refinements. */
  readonly unknown?: boolean;
  /** Whether to mention marked values, such as sensitive ones. The value itself is never shown. */
  readonly marked?: boolean;
}

/** Sorted lines such as `name as "a"`; references without a value are not included. @see go hcl diagnosticTextWriter */
export function valueLines({ expression, scope }: Diagnostic): readonly string[] {
  if (expression === undefined || scope === undefined) return [];
  const lines = new Set<string>();
  for (const traversal of variables(expression)) {
    const value = absoluteOutcome(traversal, scope);
    if (isDiagnostic(value)) continue;
    const name = traversalText(traversal);
    if (isMarked(value)) lines.add(`${name} as (${markedName(value)})`);
    else if (!isKnown(value)) lines.add(`${name} not yet known`);
    else lines.add(isNull(value) ? `${name} set to null` : `${name} as ${valueText(value)}`);
  }
  return [...lines].sort(compareCodePoints);
}

/**
 * Statements of the CLIs about the values of references; for a reference without a value, about its longest prefix that has one.
 *
 * @see OpenTofu jsonentities.DiagnosticExpressionValue
 */
export function relatedValues({ expression, scope }: Diagnostic, causes: ValueCauses): readonly RelatedValue[] {
  if (expression === undefined || scope === undefined) return [];
  const found = new Map<string, RelatedValue>();
  for (const reference of variables(expression)) {
    for (let length = reference.length; length > 0; length--) {
      const value = absoluteOutcome(reference, scope, length);
      if (isDiagnostic(value)) continue;
      const traversal = traversalText(reference.slice(0, length));
      const statement = statementAbout(value, causes);
      if (statement !== undefined) found.set(traversal, { traversal, statement });
      break;
    }
  }
  return [...found.values()].sort((a, b) => compareCodePoints(a.traversal, b.traversal));
}

function statementAbout(value: Value, causes: ValueCauses): string | undefined {
  if (isMarked(value)) {
    const name = markedName(value);
    return causes.marked ? `has ${name.startsWith("e") ? "an" : "a"} ${name}` : undefined;
  }
  if (isKnown(value)) return `is ${valueText(value)}`;
  const isTyped = value.type.kind !== "dynamic";
  const typed = `is a ${friendlyName(value.type)}`;
  if (!causes.unknown) return isTyped ? typed : undefined;
  return isTyped ? `${typed}${lengthOf(value)}, known only after apply` : "will be known only after apply";
}

/** Largest upper bound of a length that is mentioned. */
const largestLimit = 1024;

function lengthOf(value: Value): string {
  const { kind } = value.type;
  if (kind !== "list" && kind !== "set" && kind !== "map") return "";
  const { lengthMin = 0, lengthMax } = range(unmark(value)[0]);
  if (lengthMin === lengthMax) return ` of length ${lengthMin}`;
  const isLimited = lengthMax !== undefined && lengthMax <= largestLimit;
  if (lengthMin > 0) return isLimited ? ` with between ${lengthMin} and ${lengthMax} elements` : ` with at least ${lengthMin} elements`;
  return isLimited ? ` with up to ${lengthMax} elements` : "";
}
