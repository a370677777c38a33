// SPDX-License-Identifier: Apache-2.0
import { payloadsSame } from "@tenon/cty/unstable/payload";
import { variables } from "../analysis/variables.ts";
import { HclError } from "../error.ts";
import { parseTraversal } from "../parse/parse.ts";
import type { Traversal, TraversalStep } from "../syntax/traversal.ts";
import { parseAsAttribute, attributePrefix } from "./edit-text.ts";

/** Renames a reference in the text of an expression. */
export type ReferenceRenaming = (expression: string) => { readonly expression: string; readonly count: number };

/** Creates a renaming. @throws HclError `INVALID_EDIT` if either is not a reference; the renaming throws it if a name hides the new reference. */
export function referenceRenaming(from: string, to: string): ReferenceRenaming {
  const prefix = readReference(from);
  const replacement = readReference(to);
  return (expression) => {
    // The expression is valid: it was parsed without errors, or checked when it was set.
    const used = variables(parseAsAttribute(expression)!.expression);
    const found = used.filter((traversal) => startsWith(traversal, prefix));
    if (found.length === 0) return { expression, count: 0 };
    const bytes = asBytes(attributePrefix + expression);
    const written = asBytes(to.trim());
    const parts: string[] = [];
    let at = attributePrefix.length;
    for (const traversal of found) {
      parts.push(bytes.slice(at, traversal[0]!.range.start.byte), written);
      at = traversal[prefix.length - 1]!.range.end.byte;
    }
    parts.push(bytes.slice(at));
    const renamed = Buffer.from(parts.join(""), "latin1").toString();
    const others = used.filter((traversal) => startsWith(traversal, replacement) && !startsWith(traversal, prefix));
    // Only `for` expressions define names.
    if (expression.includes("for")) requireReferences(renamed, replacement, found.length + others.length, to);
    return { expression: renamed, count: found.length };
  };
}

/** A text with one character for each byte, so that byte offsets of ranges apply. */
const asBytes = (text: string): string => Buffer.from(text).toString("latin1");

/** Checks that an expression has `count` references to the new name. @throws HclError `INVALID_EDIT` if a `for` expression hides it. */
function requireReferences(expression: string, reference: Traversal, count: number, to: string): void {
  const read = parseAsAttribute(expression);
  const references = read === undefined ? [] : variables(read.expression).filter((traversal) => startsWith(traversal, reference));
  if (references.length === count) return;
  throw new HclError("INVALID_EDIT", `${JSON.stringify(to)} would have another meaning in ${JSON.stringify(expression)}`);
}

function readReference(text: string): Traversal {
  const { traversal, diagnostics } = parseTraversal(text, "");
  if (diagnostics.length > 0 || /[\n#]|\/[/*]/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, "")))
    throw new HclError("INVALID_EDIT", `${JSON.stringify(text)} is not a reference: ${diagnostics[0]?.detail ?? "it must be on one line"}`);
  return traversal;
}

function startsWith(traversal: Traversal, prefix: Traversal): boolean {
  return prefix.length <= traversal.length && prefix.every((step, index) => isSame(step, traversal[index]!));
}

function isSame(one: TraversalStep, other: TraversalStep): boolean {
  if (one.kind === "index") {
    // Keys are numbers and strings, and types are interned, so both are compared directly.
    return other.kind === "index" && one.key.type === other.key.type && payloadsSame(one.key.type, one.key.payload, other.key.payload);
  }
  return one.kind === other.kind && (one.kind === "splat" || one.name === (other as typeof one).name);
}
