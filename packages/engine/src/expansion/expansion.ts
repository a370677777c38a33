// SPDX-License-Identifier: Apache-2.0
import type { Expression } from "@tenon/hcl";
import type { Evaluation, Scope } from "@tenon/hcl/evaluate";
import type { Repetition } from "../configuration/block-content.ts";
import type { Report } from "../configuration/report.ts";
import { countOf, enabledOf, forEachOf, type Expansion } from "./repetition.ts";

const single: Expansion = { kind: "single" };

/**
 * Evaluates the repetition arguments of a block. Returns undefined after an error.
 *
 * @param evaluate Evaluates an argument in the module that has the block.
 * @param address Address of the block in its module instance, for the advice in an error.
 */
export async function expansionOf(
  { count, forEach, enabled }: Repetition,
  evaluate: (expression: Expression) => Promise<Evaluation & { readonly scope: Scope }>,
  address: string,
  report: Report,
): Promise<Expansion | undefined> {
  if (count !== undefined) {
    const evaluation = await evaluate(count);
    const number = countOf(count, evaluation, evaluation.scope, address, report);
    return number === undefined ? undefined : { kind: "count", count: number };
  }
  if (forEach !== undefined) {
    const evaluation = await evaluate(forEach);
    const values = forEachOf(forEach, evaluation, evaluation.scope, address, report);
    return values === undefined ? undefined : { kind: "forEach", values };
  }
  if (enabled !== undefined) {
    const evaluation = await evaluate(enabled);
    const isEnabled = enabledOf(enabled, evaluation, evaluation.scope, report);
    return isEnabled === undefined ? undefined : { kind: "enabled", enabled: isEnabled };
  }
  return single;
}
