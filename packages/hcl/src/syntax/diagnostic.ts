// SPDX-License-Identifier: Apache-2.0
import type { CtyError } from "@tenon/cty";
import type { Scope } from "./scope.ts";
import type { Expression } from "./expression.ts";
import type { SourceRange } from "./position.ts";

/** A problem in a configuration, for its author. Parsing and evaluation return diagnostics and never throw them. */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  /** The problem in one line. */
  readonly summary: string;
  /** Explanation in whole sentences. */
  readonly detail: string;
  /** Range of the problem. */
  readonly subject?: SourceRange;
  /** Wider range to show with the problem; contains `subject`. */
  readonly context?: SourceRange;
  /** The expression whose evaluation failed. */
  readonly expression?: Expression;
  /** The scope of the evaluation, for showing the values of variables. */
  readonly scope?: Scope;
  /** Details of the problem for programs. */
  readonly extra?: DiagnosticExtra;
}

/** Details of a problem that programs use. */
export type DiagnosticExtra =
  | {
      readonly kind: "functionCall";
      readonly name: string;
      /** The error that the function threw, if it was called. */
      readonly error?: CtyError;
    }
  | {
      readonly kind: "unknownFunction";
      /** Name of the function without its namespace. */
      readonly name: string;
      /** Namespace with a trailing `::`; empty if there is none. */
      readonly namespace: string;
    }
  | {
      /** Values that cannot be shown are the cause, so reports describe such values too. */
      readonly kind: "valueCause";
      /** Whether values that are not yet known are the cause, or marked ones, such as sensitive values. */
      readonly cause: "unknown" | "marked";
    }
  | {
      readonly kind: "deprecatedSource";
      /** Address of the deprecated object. Reports may group warnings by it. */
      readonly by: string;
      /** Whether the deprecated object is in a module from outside the configuration, or in one that such a module calls. */
      readonly isFromRemoteModule: boolean;
    }
  | {
      /** A condition of the configuration has failed, or is not known yet. */
      readonly kind: "condition";
      /** What has the condition. */
      readonly object: "resource" | "output" | "check" | "variable";
      /** Absolute address of the object: `module.a.output.b`. */
      readonly address: string;
      /** For the data source of a `check` block: the severity of its problem outside of the block, where it is always a warning. */
      readonly dataSeverity?: Diagnostic["severity"];
    };

/** An error about a range of the source. */
export function errorAt(summary: string, detail: string, subject: SourceRange, context?: SourceRange): Diagnostic {
  return context === undefined ? { severity: "error", summary, detail, subject } : { severity: "error", summary, detail, subject, context };
}

/** Whether the diagnostics include an error, not only warnings. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}
