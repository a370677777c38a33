// SPDX-License-Identifier: Apache-2.0
// The differences that are known. packages/engine/docs/differences.md has the same names.
import type { Difference } from "./compare.ts";
import type { StepOptions } from "./outcome.ts";

type Explains = (difference: Difference, options: StepOptions) => boolean;

const explanations: Readonly<Record<string, Explains>> = {
  "forced-create-before-destroy": ({ part, path, theirs, ours }) =>
    // The sides exchange their states, so that either can be the one that has it.
    part === "state" && path.endsWith("/create_before_destroy") && (theirs === undefined || ours === undefined),
  "text-after-json": ({ part, theirs }) => part === "plan text" && String(theirs).includes("jsonencode("),
  "unreferenced-module-outputs": ({ part, path, theirs, ours }) =>
    part === "state" && /^\/check_results\/\d+\/(objects\/\d+\/)?status$/.test(path) && (theirs === "unknown" || ours === "unknown"),
  "data-before-destroy": ({ part, path }, { mode }) => part === "plan" && path.startsWith("/prior_state/") && mode === "destroy",
  "checks-of-refresh-only": ({ part, path, ours }, { mode }) =>
    part === "apply diagnostics" && path === "Check block assertion failed" && ours === undefined && mode === "refreshOnly",
};

/** Names of all differences that can explain one. */
export const differenceNames: readonly string[] = Object.keys(explanations);

/** The name of what explains a difference of a step; undefined: nothing does. */
export function explanationOf(difference: Difference, options: StepOptions): string | undefined {
  return differenceNames.find((name) => explanations[name]!(difference, options));
}
