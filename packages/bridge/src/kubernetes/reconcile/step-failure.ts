// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/schema";
import { isAlreadyExists, isConflict, isNotFound } from "../machinery/client/api-error.ts";

/** The failure of a step of a reconcile, which is reported by a condition and an event. */
export class StepFailure extends Error {
  override readonly name = "StepFailure";
  /** The reason of the event, such as `CannotCreateExternalResource`. */
  readonly reason: string;
  /** Whether the step is repeated even if the object does not change. */
  readonly repeats: boolean;

  constructor(reason: string, message: string, options: ErrorOptions & { readonly repeats?: boolean } = {}) {
    super(message, options);
    this.reason = reason;
    this.repeats = options.repeats ?? true;
  }
}

/** Returns the errors among diagnostics as one text. */
export function errorText(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return (
    errors.map(({ summary, detail }) => (detail === "" ? summary : `${summary}: ${detail}`)).join("; ") || "the provider reported no reason"
  );
}

/** Whether an error says that the object has changed or is gone: the next reconcile does the work. */
export function isSuperseded(error: unknown): boolean {
  return isConflict(error) || isAlreadyExists(error) || isNotFound(error);
}
