// SPDX-License-Identifier: Apache-2.0
import { same, type Value } from "@tenon/cty";
import { goQuote } from "@tenon/cty/unstable/payload";
import type { PlannedChanges } from "../../change/planned-changes.ts";
import type { Configuration } from "../../configuration/configuration.ts";
import { givenValue, type GivenVariable } from "../../configuration/variable-values.ts";
import { EngineError } from "../../error.ts";
import type { StateManager } from "../../state/state-manager.ts";
import { givenValues, type RunSetup } from "../run-setup.ts";
import { savedChangesOf } from "./saved-changes.ts";
import { snapshotOf, type SavedPlan } from "./saved-plan.ts";

/** The parts of a plan and its setup that are saved. */
export function savedPlanOf(planned: PlannedChanges, setup: RunSetup, { stored, file }: StateManager): SavedPlan {
  const declared = setup.configuration.module.variables;
  const isSaved = ([name]: readonly [string, Value]): boolean => declared.get(name)?.ephemeral !== true;
  return {
    changes: savedChangesOf(planned),
    priorState: planned.priorState,
    previousState: planned.previousState,
    base: stored && { lineage: file.lineage, serial: stored.serial },
    configuration: snapshotOf(setup.configuration, setup.sources),
    variables: new Map([...givenValues(setup)].filter(isSaved)),
    workspace: setup.workspace,
    workingFolder: setup.workingFolder,
    targets: setup.targets,
    excludes: setup.excludes,
  };
}

/**
 * Requires that the stored state has not changed since the plan was made.
 *
 * @throws EngineError `PLAN_STALE`
 * @see OpenTofu internal/backend/local, localRunForPlanFile
 */
export function requireSameState({ base }: SavedPlan, { stored, file }: StateManager): void {
  const [lineage, serial] = stored === undefined ? [undefined, 0] : [file.lineage, stored.serial];
  if (base !== undefined && base.lineage !== lineage) {
    const detail = "The given plan file can not be applied because it was created from a different state lineage.";
    throw new EngineError("PLAN_STALE", `Saved plan does not match the given state: ${detail}`);
  }
  if ((base?.serial ?? 0) === serial) return;
  const detail =
    "The given plan file can no longer be applied because the state was changed by another operation after the plan was created.";
  throw new EngineError("PLAN_STALE", `Saved plan is stale: ${detail}`);
}

/**
 * The values of variables for the apply of a saved plan: the values in the plan, and the given values of ephemeral variables.
 *
 * @throws EngineError `INVALID_OPTIONS` for given values that differ from those in the plan, and for ephemeral variables without a value.
 * @see OpenTofu internal/tofu, Context.mergePlanAndApplyVariables
 */
export function variablesOf(
  { variables }: SavedPlan,
  given: ReadonlyMap<string, Value | GivenVariable>,
  { module }: Configuration,
): ReadonlyMap<string, Value | GivenVariable> {
  const all = new Map<string, Value | GivenVariable>(given);
  for (const [name, value] of variables) {
    const other = given.get(name);
    const variable = module.variables.get(name)!;
    if (other !== undefined && !same(givenValue(other, variable).value, value)) {
      const detail = `Value saved in the plan file for variable ${goQuote(name)} is different from the one given to the current command.`;
      throw new EngineError("INVALID_OPTIONS", `Mismatch between input and plan variable value: ${detail}`);
    }
    all.set(name, value);
  }
  for (const [name, { ephemeral, default: fallback }] of module.variables) {
    if (!ephemeral || fallback !== undefined || all.has(name)) continue;
    const detail = `Variable ${goQuote(name)} is configured as ephemeral. This type of variables need to be given a value during \`tofu plan\` and also during \`tofu apply\`.`;
    throw new EngineError("INVALID_OPTIONS", `No value for required variable: ${detail}`);
  }
  return all;
}
