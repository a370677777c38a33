// SPDX-License-Identifier: Apache-2.0
import { oneLine, type Layout } from "./printer.ts";

const step = "  ";

/** Parts with commas between them: in one line, or a line each where one of them takes several. */
export function sequence(open: string, close: string, { indent }: Layout, make: (inner: Layout) => readonly string[]): string {
  const inner = indent === undefined ? oneLine : { indent: indent + step, endsLine: false };
  const parts = make(inner);
  if (indent === undefined || !parts.some((part) => part.includes("\n"))) return `${open}${parts.join(", ")}${close}`;
  return `${open}\n${parts.map((part) => `${inner.indent}${part},\n`).join("")}${indent}${close}`;
}

/** The items of an object: a line each, where there may be lines. */
export function items({ indent }: Layout, make: (inner: Layout) => readonly string[]): string {
  const inner = indent === undefined ? oneLine : { indent: indent + step, endsLine: true };
  const parts = make(inner);
  if (parts.length === 0) return "{}";
  if (indent === undefined) return `{ ${parts.join(", ")} }`;
  return `{\n${parts.map((part) => `${inner.indent}${part}\n`).join("")}${indent}}`;
}
