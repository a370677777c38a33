// SPDX-License-Identifier: Apache-2.0
import type { CtyError } from "@tenon/cty";
import type { Scope } from "../evaluate/scope.ts";
import type { Expression } from "./expression.ts";
import type { SourceRange } from "./position.ts";

/** A problem in a configuration, told to its author. Parsing and evaluating return these; they are never thrown. */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  /** One line that names the problem. */
  readonly summary: string;
  /** Sentences that explain it. */
  readonly detail: string;
  /** Exactly what is wrong. */
  readonly subject?: SourceRange;
  /** A wider range that is worth showing with it; contains `subject`. */
  readonly context?: SourceRange;
  /** The expression that could not be evaluated. */
  readonly expression?: Expression;
  /** The scope it was evaluated in, for showing the values of its variables. */
  readonly scope?: Scope;
  /** More about the problem, for programs. */
  readonly extra?: DiagnosticExtra;
}

/** What a program may want to know of a problem with a function. */
export type DiagnosticExtra =
  | {
      readonly kind: "functionCall";
      readonly name: string;
      /** What the function itself threw, if it was called at all. */
      readonly error?: CtyError;
    }
  | {
      readonly kind: "unknownFunction";
      /** Without its namespace. */
      readonly name: string;
      /** With `::` at its end; empty for none. */
      readonly namespace: string;
    };

/** An error about a place in the source. */
export function errorAt(summary: string, detail: string, subject: SourceRange, context?: SourceRange): Diagnostic {
  return context === undefined ? { severity: "error", summary, detail, subject } : { severity: "error", summary, detail, subject, context };
}

/** Is there any error, and not only warnings? */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}
