// SPDX-License-Identifier: Apache-2.0
import { dynamic, isNull, isWhollyKnown, nullOf, same, unmark, unmarkDeep, type Value } from "@tenon/cty";
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import type { ModuleInstance } from "../address/module.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import type { StateDraft } from "../state/state-draft.ts";
import type { State } from "../state/state.ts";
import type { OutputChange } from "../change/planned-changes.ts";

/**
 * The changes of the root module's outputs. Sets the outputs whose values are known in the refreshed state.
 *
 * @param isIncluded Whether the plan includes an output.
 * @see OpenTofu node_output.go
 */
export async function planOutputs(
  root: ModuleScope,
  previous: State,
  refreshed: StateDraft,
  isIncluded: (name: string) => boolean,
): Promise<readonly OutputChange[]> {
  const changes: OutputChange[] = [];
  const { outputs } = root.configuration.module;
  for (const [name, output] of [...outputs].sort(([a], [b]) => compareCodePoints(a, b))) {
    if (!isIncluded(name)) continue;
    let value: Value;
    try {
      value = unmarkDeep(await root.output(name))[0];
    } catch (error) {
      if (error instanceof UpstreamError) continue;
      throw error;
    }
    const recorded = previous.outputs.get(name);
    const before = recorded?.value ?? nullOf(dynamic);
    const sensitive = output.sensitive === true;
    const sameSettings = sensitive === (recorded?.sensitive ?? false) && output.deprecated === recorded?.deprecated;
    changes.push({ name, action: actionOf(), before, after: value, sensitive: sensitive || recorded?.sensitive === true });
    if (isWhollyKnown(value) && !output.ephemeral) {
      if (isNull(value)) refreshed.setOutput(name, undefined);
      else refreshed.setOutput(name, { value, sensitive, ...(output.deprecated !== undefined && { deprecated: output.deprecated }) });
    }

    function actionOf(): OutputChange["action"] {
      if (isNull(value) && isNull(before) && output.deprecated === recorded?.deprecated) return "noOp";
      if (recorded === undefined) return "create";
      return isWhollyKnown(value) && same(value, before) && sameSettings ? "noOp" : "update";
    }
  }
  for (const [name, { value, sensitive }] of previous.outputs) {
    if (outputs.has(name) || !isIncluded(name)) continue;
    changes.push({ name, action: "delete", before: value, after: nullOf(dynamic), sensitive });
  }
  return changes.sort((a, b) => compareCodePoints(a.name, b.name));
}

/** An output of a module instance other than the root module. */
export interface ModuleOutput {
  readonly module: ModuleInstance;
  readonly name: string;
}

/**
 * The outputs of called modules that have values. A state does not record them, so OpenTofu counts each of them as a change.
 *
 * @see OpenTofu node_output.go, setValue
 */
export async function plannedModuleOutputs(
  scopes: AsyncIterable<ModuleScope>,
  isIncluded: (scope: ModuleScope, name: string) => boolean,
): Promise<readonly ModuleOutput[]> {
  const planned: ModuleOutput[] = [];
  for await (const scope of scopes) {
    if (scope.instance.length === 0) continue;
    for (const [name, { deprecated }] of scope.configuration.module.outputs) {
      if (!isIncluded(scope, name)) continue;
      try {
        const [value] = unmark(await scope.output(name));
        if (!isNull(value) || deprecated !== undefined) planned.push({ module: scope.instance, name });
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
      }
    }
  }
  return planned;
}

/** The changes of outputs in a plan that destroys everything. */
export function destroyOutputs({ outputs }: State, isIncluded: (name: string) => boolean): readonly OutputChange[] {
  return [...outputs]
    .filter(([name]) => isIncluded(name))
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([name, { value, sensitive }]) => ({ name, action: "delete", before: value, after: nullOf(dynamic), sensitive }));
}
