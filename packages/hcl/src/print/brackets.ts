// SPDX-License-Identifier: Apache-2.0
import { oneLine, type Layout } from "./printer.ts";

const step = "  ";

/** Comma-separated parts: on one line, or on one line each if any part has several lines. */
export function sequence(open: string, close: string, { indent }: Layout, make: (inner: Layout) => readonly string[]): string {
  const inner = indent === undefined ? oneLine : { indent: indent + step, endsLine: false };
  const parts = make(inner);
  if (indent === undefined || !parts.some((part) => part.includes("\n"))) return `${open}${parts.join(", ")}${close}`;
  return `${open}\n${parts.map((part) => `${inner.indent}${part},\n`).join("")}${indent}${close}`;
}

/** Items of an object: on one line each, if newlines are allowed. */
export function items({ indent }: Layout, make: (inner: Layout) => readonly string[]): string {
  const inner = indent === undefined ? oneLine : { indent: indent + step, endsLine: true };
  const parts = make(inner);
  if (parts.length === 0) return "{}";
  if (indent === undefined) return `{ ${parts.join(", ")} }`;
  return `{\n${parts.map((part) => `${inner.indent}${part}\n`).join("")}${indent}}`;
}
