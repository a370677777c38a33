// SPDX-License-Identifier: Apache-2.0

/** Path to a value in an object, such as `["spec", "forProvider", "rules", 0]`. */
export type FieldPath = readonly (string | number)[];

/** Writes a path in the notation of the API server: `spec.forProvider.rules[0]`, and `labels[a.b]` for a key that is no identifier. */
export function formatFieldPath(path: FieldPath): string {
  return path
    .map((step, at) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(step)) return `[${step}]`;
      return at === 0 ? step : `.${step}`;
    })
    .join("");
}

/** An invalid value in an object. */
export interface FieldProblem {
  /** Path as {@link formatFieldPath} writes it. */
  readonly path: string;
  /** What is wrong, as the predicate of a sentence about the path, such as `must be a string`. Never contains the value. */
  readonly reason: string;
}
