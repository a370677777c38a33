// SPDX-License-Identifier: Apache-2.0
import { isKnown, isMarked, isNull, range, unmark, friendlyName, type Value } from "@tenon/cty";
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import { variables } from "../analysis/variables.ts";
import { isDiagnostic } from "../evaluate/indexing.ts";
import { absoluteOutcome } from "../evaluate/traversing.ts";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import { markedName, traversalText, valueText } from "./value-text.ts";

/** A variable that an expression refers to, and what may be said of its value. */
export interface RelatedValue {
  /** As it is written: `var.name`, `each.value["a"]`. */
  readonly traversal: string;
  /** What follows it in a sentence: `is "a"`, `is list of string with 2 elements`. */
  readonly statement: string;
}

/** What is to be told of values that are not there to be shown, because the problem came of that. */
export interface ValueCauses {
  /** Say of unknown values that they are not known, and what is known of them. */
  readonly unknown?: boolean;
  /** Say of marked values, of sensitive ones for instance, that there is one. The value itself is never told. */
  readonly marked?: boolean;
}

/** Lines for people, `name as "a"`, sorted; a reference that leads to nothing is left out. @see go hcl diagnosticTextWriter */
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
 * What the CLIs say of the values: where a reference leads to nothing, of as much of it as leads to something.
 *
 * @see OpenTofu jsonentities.DiagnosticExpressionValue
 */
export function relatedValues({ expression, scope }: Diagnostic, causes: ValueCauses): readonly RelatedValue[] {
  if (expression === undefined || scope === undefined) return [];
  const found = new Map<string, RelatedValue>();
  for (const reference of variables(expression)) {
    for (let length = reference.length; length > 0; length--) {
      const part = reference.slice(0, length);
      const value = absoluteOutcome(part, scope);
      if (isDiagnostic(value)) continue;
      const traversal = traversalText(part);
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

/** Beyond this, an upper limit says nothing to people. */
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
