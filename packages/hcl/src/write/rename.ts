// SPDX-License-Identifier: Apache-2.0
import { payloadsSame } from "@tenon/cty/unstable/payload";
import { variables } from "../analysis/variables.ts";
import { HclError } from "../error.ts";
import { parseTraversal } from "../parse/parse.ts";
import type { Traversal, TraversalStep } from "../syntax/traversal.ts";
import { readWrapped, wrapping } from "./edit-text.ts";

/** Changes a reference in the text of an expression. */
export type ReferenceRenaming = (expression: string) => { readonly expression: string; readonly count: number };

/** @throws HclError `INVALID_EDIT` if one of the two is no reference; the renaming does if the new one would not be read as one. */
export function referenceRenaming(from: string, to: string): ReferenceRenaming {
  const prefix = readReference(from);
  const replacement = readReference(to);
  return (expression) => {
    // What stands in a source that was read without errors, or was checked since, can be read.
    const used = variables(readWrapped(expression)!.expression);
    const found = used.filter((traversal) => startsWith(traversal, prefix));
    if (found.length === 0) return { expression, count: 0 };
    const bytes = asBytes(wrapping + expression);
    const written = asBytes(to.trim());
    const parts: string[] = [];
    let at = wrapping.length;
    for (const traversal of found) {
      parts.push(bytes.slice(at, traversal[0]!.range.start.byte), written);
      at = traversal[prefix.length - 1]!.range.end.byte;
    }
    parts.push(bytes.slice(at));
    const renamed = Buffer.from(parts.join(""), "latin1").toString();
    const others = used.filter((traversal) => startsWith(traversal, replacement) && !startsWith(traversal, prefix));
    // Nothing else gives names within an expression.
    if (expression.includes("for")) requireReferences(renamed, replacement, found.length + others.length, to);
    return { expression: renamed, count: found.length };
  };
}

/** A text with a character for each of its bytes, which ranges count. */
const asBytes = (text: string): string => Buffer.from(text).toString("latin1");

/** Is a reference read wherever it was written? A `for` expression may have a name of its own that is the same. */
function requireReferences(expression: string, reference: Traversal, count: number, to: string): void {
  const read = readWrapped(expression);
  const references = read === undefined ? [] : variables(read.expression).filter((traversal) => startsWith(traversal, reference));
  if (references.length === count) return;
  throw new HclError("INVALID_EDIT", `${JSON.stringify(to)} would not be read as that reference in ${JSON.stringify(expression)}`);
}

function readReference(text: string): Traversal {
  const { traversal, diagnostics } = parseTraversal(text, "");
  if (diagnostics.length > 0 || /[\n#]|\/[/*]/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, "")))
    throw new HclError("INVALID_EDIT", `${JSON.stringify(text)} is no reference: ${diagnostics[0]?.detail ?? "it must be in one line"}`);
  return traversal;
}

function startsWith(traversal: Traversal, prefix: Traversal): boolean {
  return prefix.length <= traversal.length && prefix.every((step, index) => isSame(step, traversal[index]!));
}

function isSame(one: TraversalStep, other: TraversalStep): boolean {
  if (one.kind === "index") {
    // Keys are numbers and strings; types are interned.
    return other.kind === "index" && one.key.type === other.key.type && payloadsSame(one.key.type, one.key.payload, other.key.payload);
  }
  return one.kind === other.kind && (one.kind === "splat" || one.name === (other as typeof one).name);
}
