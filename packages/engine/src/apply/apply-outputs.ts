// SPDX-License-Identifier: Apache-2.0
import { isNull, isWhollyKnown, unmarkDeep, type Value } from "@tenon/cty";
import { unknownAsNull } from "@tenon/cty/paths";
import type { Output } from "../configuration/output.ts";
import { settleAll, UpstreamError } from "../evaluation/cell.ts";
import type { StateOutput } from "../state/state.ts";
import type { ApplyRun } from "./apply-run.ts";

/**
 * Evaluates the outputs of the root module that the plan changes, and sets them in the state.
 *
 * @param isSound Whether an output, named by its address, depends on nothing with errors. Others keep their values.
 */
export async function applyOutputs({ input, walk, state, hasDeferred }: ApplyRun, isSound: (address: string) => boolean): Promise<void> {
  const { outputs } = walk.root.configuration.module;
  for (const { name, action, after } of input.planned.outputs) {
    const output = outputs.get(name);
    if (action === "delete" || output === undefined) {
      state.setOutput(name, undefined);
      continue;
    }
    if (!isSound(`output.${name}`)) continue;
    try {
      const [evaluated] = unmarkDeep(await walk.root.output(name));
      // A value that was known in the plan stays as it is, although its type could be another one now that all values are known.
      const value = isWhollyKnown(after) ? after : evaluated;
      // An output that refers to a deferred object has no value yet and keeps its earlier one.
      if (output.ephemeral || (hasDeferred && !isWhollyKnown(value))) continue;
      state.setOutput(name, isNull(value) ? undefined : stateOutputOf(output, value));
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
    }
  }
  state.announce();
}

/** Removes the outputs of a plan that destroys everything. */
export function removeOutputs({ input, state }: ApplyRun): void {
  for (const { name, action } of input.planned.outputs) {
    if (action === "delete") state.setOutput(name, undefined);
  }
}

/**
 * Sets the outputs that a refresh-only plan found, and checks their conditions again. A value that is still unknown is set, as null, only if the
 * conditions hold.
 */
export async function applyRefreshedOutputs({ input, walk, state }: ApplyRun): Promise<void> {
  const { outputs } = input.planned;
  const declared = walk.root.configuration.module.outputs;
  const checks: Promise<unknown>[] = [];
  for (const { name, action, after } of outputs) {
    const output = declared.get(name);
    if (action === "delete" || output === undefined) {
      state.setOutput(name, undefined);
      continue;
    }
    const set = (): void => {
      if (output.ephemeral !== true) state.setOutput(name, isNull(after) ? undefined : stateOutputOf(output, after));
    };
    const checked = walk.root.output(name);
    const isKnown = isWhollyKnown(after);
    if (isKnown) set();
    checks.push(isKnown ? checked : checked.then(set));
  }
  await settleAll(checks);
}

/** An output as a state records it. */
function stateOutputOf({ sensitive, deprecated }: Output, value: Value): StateOutput {
  return { value: unknownAsNull(value), sensitive: sensitive === true, ...(deprecated !== undefined && { deprecated }) };
}
