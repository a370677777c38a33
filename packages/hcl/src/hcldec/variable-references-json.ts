// SPDX-License-Identifier: Apache-2.0
import { CtyError, type Value } from "@tenon/cty";
import { encode } from "@tenon/cty/json";
import { evaluate } from "../evaluate/evaluate.ts";
import type { Scope } from "../syntax/scope.ts";
import { hasErrors } from "../syntax/diagnostic.ts";
import { rootName, traversalRange, type Traversal, type TraversalStep } from "../syntax/traversal.ts";
import { writtenRange } from "./diagnostics-json.ts";
import { indentedJson } from "./json-text.ts";

/** References in the form of `--var-refs`: their steps, and their values if known. */
export function variableReferencesJson(references: readonly Traversal[], scope: Scope): string {
  return indentedJson(`[${references.map((reference) => referenceJson(reference, scope)).join(",")}]`);
}

function referenceJson(reference: Traversal, scope: Scope): string {
  const range = traversalRange(reference)!;
  const { value, diagnostics } = evaluate({ kind: "scopeTraversal", traversal: reference, range }, scope);
  const json = hasErrors(diagnostics) ? undefined : valueJson(value);
  return objectJson({
    root_name: JSON.stringify(rootName(reference)),
    value: json,
    steps: `[${reference.map(stepJson).join(",")}]`,
    range: JSON.stringify(writtenRange(range)),
  });
}

function stepJson(step: TraversalStep): string {
  const range = JSON.stringify(writtenRange(step.range));
  if (step.kind === "index") return objectJson({ kind: '"index"', key: valueJson(step.key), range });
  if (step.kind === "splat") throw new TypeError("no variable of an expression has a splat in it");
  return objectJson({ kind: step.kind === "attribute" ? '"attr"' : '"root"', name: JSON.stringify(step.name), range });
}

function objectJson(properties: Readonly<Record<string, string | undefined>>): string {
  const written = Object.entries(properties).filter(([, json]) => json !== undefined);
  return `{${written.map(([name, json]) => `"${name}":${json}`).join(",")}}`;
}

/** A value as JSON; undefined if JSON cannot represent it. */
function valueJson(value: Value): string | undefined {
  try {
    return encode(value, value.type);
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}
