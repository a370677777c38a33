// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import type { Diagnostic } from "@tenon/schema";

/** What a call was answered, whatever the call: its values by name, and what is said besides. */
export interface Answer {
  readonly values: Readonly<Record<string, Value | undefined>>;
  readonly requiresReplace: readonly Path[];
  readonly diagnostics: readonly Diagnostic[];
}

export function answerOf(diagnostics: readonly Diagnostic[], values: Answer["values"] = {}, requiresReplace: readonly Path[] = []): Answer {
  return { values, requiresReplace, diagnostics };
}

/** One place where two answers differ. */
export type Difference = ValueDifference | DiagnosticDifference | ReplaceDifference;

export interface ValueDifference {
  readonly kind: "value";
  /** `plannedState`, `newIdentity`, … */
  readonly field: string;
  /** Names, positions and keys; it ends at a set. */
  readonly path: readonly (string | number)[];
  readonly theirs: unknown;
  readonly ours: unknown;
}

/** Something that only one of them says. */
interface SaidDifference {
  readonly side: "theirs" | "ours";
  readonly path: string;
  readonly steps: readonly (string | number)[];
}

export interface DiagnosticDifference extends SaidDifference {
  readonly kind: "error" | "warning";
  /** In their words. */
  readonly summary: string;
  readonly detail: string;
}

/** A path that requires replacement. */
export interface ReplaceDifference extends SaidDifference {
  readonly kind: "replace";
}

/** The summary of a difference that is none between the two: an answer of ours that a core would refuse. */
export const brokenRule = "Breaks a rule of the cores";
