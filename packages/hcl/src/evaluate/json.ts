// SPDX-License-Identifier: Apache-2.0
import { CtyError, isKnown, isNull, objectOf, string, tupleOf, unmark, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { goQuote as quote, normalizeString, valueOf } from "@tenon/cty/unstable/payload";
import { jsonTemplate } from "../parse/json-template.ts";
import { hasErrors } from "../syntax/diagnostic.ts";
import type { JsonExpression, JsonMember, JsonNode, JsonObject } from "../syntax/json.ts";
import { falseValue, nullValue, trueValue } from "../syntax/literal-values.ts";
import type { SourceRange } from "../syntax/position.ts";
import { formatRange } from "../syntax/range.ts";
import { unknownOfAnyType, evaluationError, type Evaluator } from "./evaluator.ts";
import type { Scope } from "../syntax/scope.ts";

/** Evaluates a node of the JSON syntax. With a scope, strings and member names are templates. */
export function jsonValue(evaluator: Evaluator, node: JsonNode, scope: Scope | undefined): Value {
  switch (node.kind) {
    case "jsonString":
      return textValue(evaluator, node.value, node.range, scope);
    case "jsonNumber":
      return node.value;
    case "jsonBoolean":
      return node.value ? trueValue : falseValue;
    case "jsonNull":
      return nullValue;
    case "jsonArray":
      return tupleOf(node.elements.map((element) => evaluator.value(jsonExpression(element), scope)));
    case "jsonObject":
      return objectValue(evaluator, node, scope);
    default:
      return unknownOfAnyType;
  }
}

/** A node as an expression. */
export function jsonExpression(node: JsonNode): JsonExpression {
  return { kind: "json", node, range: node.range };
}

function textValue(evaluator: Evaluator, text: string, range: SourceRange, scope: Scope | undefined): Value {
  if (scope === undefined) return valueOf(string, normalizeString(text));
  const { expression, diagnostics } = jsonTemplate(text, range);
  evaluator.diagnostics.push(...diagnostics);
  return hasErrors(diagnostics) ? unknownOfAnyType : evaluator.value(expression, scope);
}

function objectValue(evaluator: Evaluator, node: JsonObject, scope: Scope | undefined): Value {
  const values = new Map<string, Value>();
  const ranges = new Map<string, SourceRange>();
  let allKnown = true;
  for (const member of node.members) {
    const givenName = textValue(evaluator, member.name, member.nameRange, scope);
    const value = evaluator.value(jsonExpression(member.value), scope);
    const name = nameOf(evaluator, member, givenName, scope);
    if (name === "invalid") continue;
    if (name === undefined) {
      allKnown = false;
      continue;
    }
    const before = ranges.get(name.text);
    if (before !== undefined) {
      const detail = `An attribute named ${quote(name.text)} was already defined at ${formatRange(before)}.`;
      const at = { subject: member.nameRange };
      evaluator.diagnostics.push(evaluationError("Duplicate object attribute", detail, at, jsonExpression(node), scope));
      continue;
    }
    values.set(name.text, value);
    ranges.set(name.text, member.nameRange);
  }
  return allKnown ? objectOf(values) : unknownOfAnyType;
}

/** Name of a member; undefined if it is unknown. */
function nameOf(
  evaluator: Evaluator,
  member: JsonMember,
  given: Value,
  scope: Scope | undefined,
): { readonly text: string } | "invalid" | undefined {
  const invalid = (detail: string): "invalid" => {
    const at = { subject: member.nameRange };
    evaluator.diagnostics.push(evaluationError("Invalid object key expression", detail, at, jsonExpression(member.value), scope));
    return "invalid";
  };
  try {
    const name = convert(given, string);
    if (isNull(name)) return invalid("Cannot use null value as an object key.");
    // Names have no marks; the Go library panics here.
    return isKnown(name) ? { text: unmark(name)[0].payload as string } : undefined;
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    return invalid(`Cannot use this expression as an object key: ${error.message}.`);
  }
}
