// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import type { Diagnostic } from "@tenon/schema";

/** The response to any call: values by name, diagnostics and other fields. */
export interface ProviderResponse {
  readonly values: Readonly<Record<string, Value | undefined>>;
  readonly requiresReplace: readonly Path[];
  readonly diagnostics: readonly Diagnostic[];
}

export function responseOf(
  diagnostics: readonly Diagnostic[],
  values: ProviderResponse["values"] = {},
  requiresReplace: readonly Path[] = [],
): ProviderResponse {
  return { values, requiresReplace, diagnostics };
}

/** One place where two responses differ. */
export type Difference = ValueDifference | DiagnosticDifference | ReplaceDifference;

export interface ValueDifference {
  readonly kind: "value";
  /** Field of the response: `plannedState`, `newIdentity`, … */
  readonly field: string;
  /** Names, positions and keys, down to the first set. */
  readonly path: readonly (string | number)[];
  readonly theirs: unknown;
  readonly ours: unknown;
}

/** A diagnostic or path that only one side has. */
interface OneSidedDifference {
  readonly side: "theirs" | "ours";
  readonly path: string;
  readonly steps: readonly (string | number)[];
}

export interface DiagnosticDifference extends OneSidedDifference {
  readonly kind: "error" | "warning";
  /** Text in the words of that side. */
  readonly summary: string;
  readonly detail: string;
}

/** Kind of a difference: a path that requires replacement. */
export interface ReplaceDifference extends OneSidedDifference {
  readonly kind: "replace";
}

/** Summary of a failure without a difference: our response breaks a rule of the cores. */
export const brokenRule = "Breaks a rule of the cores";
