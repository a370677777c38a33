// SPDX-License-Identifier: Apache-2.0
import { formatPath, type Path } from "@tenon/cty";

/** Something that a provider must not plan or answer, and where in the value. */
export interface Problem {
  /** Empty for the whole object. */
  readonly path: Path;
  /** As the cores word it. Values in it are in Go's notation; those of sensitive attributes are left out. */
  readonly message: string;
}

/** `.path.to: message`, as the cores write it. */
export function formatProblem(problem: Problem): string {
  return problem.path.length === 0 ? problem.message : `${formatPath(problem.path)}: ${problem.message}`;
}
