// SPDX-License-Identifier: Apache-2.0
import { isKnown, unmark } from "@tenon/cty";
import type { Expression } from "@tenon/hcl";
import type { Evaluation, Scope } from "@tenon/hcl/evaluate";
import type { Repetition } from "../configuration/block-content.ts";
import type { Report } from "../configuration/report.ts";
import { countOf, countValueOf, enabledOf, forEachValueOf, forEachOf, type Expansion } from "./repetition.ts";

const single: Expansion = { kind: "single" };

/** Settings of {@link expansionOf}. */
export interface ExpansionOptions {
  /** Evaluates an argument in the module that has the block. */
  readonly evaluate: (expression: Expression) => Promise<Evaluation & { readonly scope: Scope }>;
  /** Address of the block in its module instance, for the advice in an error. */
  readonly address: string;
  /** Whether a value may be unknown. Default: such a value is an error. */
  readonly allowUnknown?: boolean | undefined;
}

/** Evaluates the repetition arguments of a block. Returns undefined after an error. */
export async function expansionOf(
  { count, forEach, enabled }: Repetition,
  { evaluate, address, allowUnknown = false }: ExpansionOptions,
  report: Report,
): Promise<Expansion | undefined> {
  if (count !== undefined) {
    const evaluation = await evaluate(count);
    if (allowUnknown && isUnknownCount(count, evaluation)) return { kind: "unknown", argument: "count" };
    const number = countOf(count, evaluation, evaluation.scope, address, report);
    return number === undefined ? undefined : { kind: "count", count: number };
  }
  if (forEach !== undefined) {
    const evaluation = await evaluate(forEach);
    if (allowUnknown && isUnknownForEach(forEach, evaluation)) return { kind: "unknown", argument: "forEach" };
    const values = forEachOf(forEach, evaluation, evaluation.scope, address, report);
    return values === undefined ? undefined : { kind: "forEach", values };
  }
  if (enabled !== undefined) {
    const evaluation = await evaluate(enabled);
    if (allowUnknown && isUnknownEnabled(evaluation)) return { kind: "unknown", argument: "enabled" };
    const isEnabled = enabledOf(enabled, evaluation, evaluation.scope, report);
    return isEnabled === undefined ? undefined : { kind: "enabled", enabled: isEnabled };
  }
  return single;
}

/** Whether the value of a `count` argument is unknown, without any other fault. */
function isUnknownCount(expression: Expression, evaluation: Evaluation): boolean {
  const value = countValueOf(expression, evaluation, undefined, []);
  return value !== undefined && !isKnown(value);
}

function isUnknownForEach(expression: Expression, evaluation: Evaluation): boolean {
  const report: Report = [];
  return forEachValueOf(expression, evaluation, undefined, { allowUnknown: true }, report) === undefined && report.length === 0;
}

function isUnknownEnabled({ value, diagnostics }: Evaluation): boolean {
  const [plain, marks] = unmark(value);
  return diagnostics.length === 0 && marks.size === 0 && !isKnown(plain);
}
