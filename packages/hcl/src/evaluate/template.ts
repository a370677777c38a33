// SPDX-License-Identifier: Apache-2.0
import { CtyError, isKnown, isNull, refine, string, unknown, unmark, withMarks, type Mark, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { normalizeString, valueOf } from "@tenon/cty/unstable/payload";
import type { TemplateExpression, TemplateJoinExpression } from "../syntax/expression.ts";
import { evaluationError, failedSince, type Evaluator } from "./evaluator.ts";
import type { Scope } from "../syntax/scope.ts";

/** Maximum length of a prefix refinement, in bytes. */
const longestPrefix = 128;

const invalid = "Invalid template interpolation value";

/** Evaluates a template. If a part is unknown, the result is unknown with a known prefix. */
export function templateValue(evaluator: Evaluator, expression: TemplateExpression, scope: Scope | undefined): Value {
  const start = evaluator.diagnostics.length;
  const marks: ReadonlySet<Mark>[] = [];
  let text = "";
  let allKnown = true;
  for (const part of expression.parts) {
    const given = evaluator.value(part, scope);
    const fail = (detail: string): void => {
      const at = { subject: part.range, context: expression.range };
      evaluator.diagnostics.push(evaluationError(invalid, detail, at, part, scope));
    };
    if (isNull(given)) {
      fail("The expression result is null. Cannot include a null value in a string template.");
      continue;
    }
    const [plain, partMarks] = unmark(given);
    if (partMarks.size > 0) marks.push(partMarks);
    if (!isKnown(plain)) {
      allKnown = false;
      continue;
    }
    let converted: Value;
    try {
      converted = plain.type === string ? plain : convert(plain, string);
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      fail(`Cannot include the given value in a string template: ${error.message}.`);
      continue;
    }
    // Parts after the first unknown one are evaluated for their errors only.
    if (allKnown && !failedSince(evaluator, start)) text += converted.payload as string;
  }
  if (allKnown) return withMarks(valueOf(string, normalizeString(text)), ...marks);
  const prefix = text === "" || failedSince(evaluator, start) ? "" : firstBytes(text);
  return withMarks(refine(unknown(string), prefix === "" ? { notNull: true } : { notNull: true, prefix }), ...marks);
}

/** First bytes of a text in UTF-8. A truncated character becomes U+FFFD, which is cut off with the characters it could combine with. */
function firstBytes(text: string): string {
  if (text.length * 3 <= longestPrefix) return text;
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= longestPrefix) return text;
  return new TextDecoder().decode(bytes.subarray(0, longestPrefix));
}

/** Evaluates a `%{ for }` directive: concatenates its results. */
export function templateJoinValue(evaluator: Evaluator, expression: TemplateJoinExpression, scope: Scope | undefined): Value {
  const [tuple, tupleMarks] = unmark(evaluator.value(expression.tuple, scope));
  // As in the Go library, the marks of an unknown tuple are dropped.
  if (tuple.type.kind !== "tuple" || !isKnown(tuple)) return unknown(string);
  const marks: ReadonlySet<Mark>[] = [tupleMarks];
  const fail = (detail: string): void => {
    evaluator.diagnostics.push(evaluationError(invalid, detail, { subject: expression.range }, expression, scope));
  };
  let text = "";
  for (const [index, payload] of (tuple.payload as readonly Value["payload"][]).entries()) {
    const element = valueOf(tuple.type.elements[index]!, payload);
    if (isNull(element)) {
      fail("An iteration result is null. Cannot include a null value in a string template.");
      continue;
    }
    if (element.type.kind === "dynamic") return withMarks(unknown(string), tupleMarks);
    let converted: Value;
    try {
      converted = convert(element, string);
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      fail(`Cannot include one of the interpolation results into the string template: ${error.message}.`);
      continue;
    }
    if (!isKnown(element)) return withMarks(unknown(string), tupleMarks);
    const [plain, elementMarks] = unmark(converted);
    if (elementMarks.size > 0) marks.push(elementMarks);
    text += plain.payload as string;
  }
  return withMarks(valueOf(string, normalizeString(text)), ...marks);
}
