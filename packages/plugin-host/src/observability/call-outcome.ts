// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic, StateChunk } from "@tenon/schema";
import type { CallOutcome, StreamProgress } from "./call-progress.ts";

/** How a call ended that was answered. A function's complaint is an error, too. */
export function outcomeOf(response: unknown): CallOutcome {
  const { diagnostics = [], error } = response as { readonly diagnostics?: readonly Diagnostic[]; readonly error?: unknown };
  const complaints = error === undefined || error === "" ? 0 : 1;
  const errors = diagnostics.filter(({ severity }) => severity === "error").length + complaints;
  return { outcome: errors > 0 ? "refused" : "answered", errors, warnings: diagnostics.length + complaints - errors };
}

/** What an element of a stream tells of its progress; undefined for one that only says how the whole went. */
export function streamProgressOf(item: unknown, items: number, hide: (text: string) => string): StreamProgress | undefined {
  const { kind, message, displayName, bytes, totalLength, end } = item as {
    readonly kind?: "progress" | "completed";
    readonly message?: string;
    readonly displayName?: string;
  } & Partial<StateChunk>;
  if (kind === "completed") return undefined;
  if (bytes !== undefined) return { items, bytes: bytes.length === 0 ? 0 : end! + 1, totalBytes: totalLength! };
  const said = message ?? displayName ?? "";
  return said === "" ? { items } : { items, message: hide(said) };
}
