// SPDX-License-Identifier: Apache-2.0
import type { Path } from "@tenon/cty";

/** A `Problem` that is put into words only if anyone wants to read it: to match elements of sets, many are found and few are told. */
export interface Finding {
  readonly path: Path;
  readonly message: () => string;
}

/** The findings of a value that is found at `path`. */
export function prefixed(path: Path, findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => ({ path: [...path, ...finding.path], message: finding.message }));
}
