// SPDX-License-Identifier: Apache-2.0
import type { Path } from "@tenon/cty";

/** Violation whose text is created on demand: matching the elements of sets finds many violations and reports few. */
export interface LazyViolation {
  readonly path: Path;
  readonly message: () => string;
}

/** Returns violations of a part of a value as violations of the whole; `path` leads to the part. */
export function prefixed(path: Path, violations: readonly LazyViolation[]): LazyViolation[] {
  return violations.map((violation) => ({ path: [...path, ...violation.path], message: violation.message }));
}
