// SPDX-License-Identifier: Apache-2.0
import { parseTraversal, type Diagnostic, type SourceRange, type Traversal } from "@tenon/hcl";
import { EngineError } from "../error.ts";

/** The result of parsing an address. */
export interface ParsedAddress<T> {
  /** Absent if there are errors. */
  readonly address?: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** A failed parse with one error. `subject` is undefined only if the address is empty. */
export function addressError(
  summary: string,
  detail: string,
  subject: SourceRange | undefined,
): { readonly diagnostics: readonly [Diagnostic] } {
  return { diagnostics: [{ severity: "error", summary, detail, ...(subject && { subject }) }] };
}

/** A successful parse. */
export function addressOf<T>(address: T): ParsedAddress<T> {
  return { address, diagnostics: [] };
}

/** Parses a text to a traversal, and the traversal to an address. Ranges have an empty file name. */
export function parseAddressText<T>(text: string, parse: (traversal: Traversal) => ParsedAddress<T>): ParsedAddress<T> {
  const { traversal, diagnostics } = parseTraversal(text, "", { recovery: "first-error" });
  if (diagnostics.some(({ severity }) => severity === "error")) return { diagnostics };
  return parse(traversal);
}

/**
 * Returns the parsed address.
 *
 * @throws EngineError `INVALID_ADDRESS` with the first diagnostic if the text is not a valid address.
 */
export function requireAddress<T>(text: string, { address, diagnostics }: ParsedAddress<T>): T {
  if (address !== undefined) return address;
  const { summary, detail } = diagnostics[0] ?? { summary: "Invalid address", detail: "" };
  throw new EngineError("INVALID_ADDRESS", `${JSON.stringify(text)} is not a valid address: ${summary}: ${detail}`);
}
