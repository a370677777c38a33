// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic, StateChunk } from "@tenon/schema";
import type { CallOutcome, StreamProgress } from "./call-progress.ts";

/** Returns the outcome of a call with a response. The error of a function counts as an error. */
export function outcomeOf(response: unknown): CallOutcome {
  const { diagnostics = [], error } = response as { readonly diagnostics?: readonly Diagnostic[]; readonly error?: unknown };
  const functionErrors = error === undefined || error === "" ? 0 : 1;
  const errors = diagnostics.filter(({ severity }) => severity === "error").length + functionErrors;
  return { outcome: errors > 0 ? "refused" : "answered", errors, warnings: diagnostics.length + functionErrors - errors };
}

/** Returns the progress of a stream at an element; undefined for the final element of an action. */
export function streamProgressOf(item: unknown, items: number, hide: (text: string) => string): StreamProgress | undefined {
  const { kind, message, displayName, bytes, totalLength, end } = item as {
    readonly kind?: "progress" | "completed";
    readonly message?: string;
    readonly displayName?: string;
  } & Partial<StateChunk>;
  if (kind === "completed") return undefined;
  if (bytes !== undefined) return { items, bytes: bytes.length === 0 ? 0 : end! + 1, totalBytes: totalLength! };
  const text = message ?? displayName ?? "";
  return text === "" ? { items } : { items, message: hide(text) };
}
