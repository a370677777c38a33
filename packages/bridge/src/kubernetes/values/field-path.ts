// SPDX-License-Identifier: Apache-2.0
/** Path to a value in an object, such as `["spec", "forProvider", "rules", 0]`. */
export type FieldPath = readonly (string | number)[];

/** Writes a path as the API server does: `spec.forProvider.rules[0]`, and `labels[a.b]` for keys that are no identifiers. */
export function formatFieldPath(path: FieldPath): string {
  return path
    .map((step, at) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(step)) return `[${step}]`;
      return at === 0 ? step : `.${step}`;
    })
    .join("");
}

/** A value that does not fit. The reason never contains the value. */
export interface FieldProblem {
  /** Path as {@link formatFieldPath} writes it. */
  readonly path: string;
  readonly reason: string;
}
