// SPDX-License-Identifier: Apache-2.0
import { formatInModulePath } from "../address/module.ts";
import { formatResourceInstanceObject } from "../address/resource.ts";
import type { ResourceChange } from "../change/planned-changes.ts";
import { declaredBlock, type Configuration } from "../configuration/configuration.ts";
import { settleAll } from "../evaluation/cell.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import { configAddressOf } from "../walk/instance-node.ts";
import { scopesFrom } from "../walk/module-lookup.ts";
import { resourcesOf, type ResourceWalk, type WalkOptions } from "../walk/resource-walk.ts";
import type { ApplyInput, ApplyRun } from "./apply-run.ts";

/**
 * Makes the planned changes of a partial plan, checks the conditions that it includes, and opens the demanded ephemeral resources, without the
 * walk through the whole configuration.
 * Returns whether there was no error.
 */
export async function applySelection({ input, walk, steps }: ApplyRun, demanded: ReadonlySet<string>): Promise<boolean> {
  const { resources, checks } = input.planned;
  const planned = new Set(checks.flatMap(({ objects }) => objects?.map(({ address }) => address) ?? []));
  const unchanged = resources.filter(({ action, address }) => action === "noOp" && planned.has(formatResourceInstanceObject(address)));
  const evaluated: Promise<unknown>[] = unchanged.map(({ address }) => walk.instance(address.instance));
  for await (const scope of scopesFrom(walk.root, expandedCalls(input, demanded))) {
    evaluated.push(...demandedIn(walk, scope, demanded));
    for (const { name, validations } of scope.configuration.module.variables.values()) {
      if (validations.length > 0 && planned.has(scope.addressOf(`var.${name}`))) evaluated.push(scope.variable(name));
    }
  }
  const results = await Promise.all([steps.putAll((change) => !isOfCheck(input.configuration, change)), settleAll(evaluated)]);
  return results.every((isSuccessful) => isSuccessful);
}

/** Opens the demanded ephemeral resources, named by their addresses in the configuration. */
export async function openDemanded({ walk }: ApplyRun, demanded: ReadonlySet<string>): Promise<void> {
  const opened: Promise<unknown>[] = [];
  for await (const scope of scopesFrom(walk.root, callsAbove([...demanded]))) opened.push(...demandedIn(walk, scope, demanded));
  await settleAll(opened);
}

function demandedIn(walk: ResourceWalk, scope: ModuleScope, demanded: ReadonlySet<string>): readonly Promise<unknown>[] {
  const blocks = resourcesOf(scope).filter((block) => demanded.has(configAddressOf({ scope, block })));
  return blocks.map((block) => walk.allInstances(scope, block));
}

/** Whether a change is the reading of the data source of a check, which waits for the changes of all managed resources. */
export function isOfCheck(root: Configuration, { address: { instance } }: ResourceChange): boolean {
  return instance.resource.mode === "data" && declaredBlock(root, instance)?.check !== undefined;
}

/**
 * The module calls that a partial apply expands, because the plan has results of conditions in them, or because they have demanded ephemeral
 * resources: by the address of their start.
 */
function expandedCalls({ planned: { checks } }: ApplyInput, demanded: ReadonlySet<string>): WalkOptions["includes"] {
  const checked = checks.filter(({ objects = [] }) => objects.length > 0).map(({ address }) => address);
  return callsAbove([...checked, ...demanded]);
}

/** The module calls in which blocks with the given addresses are, by the address of their start. */
function callsAbove(addresses: readonly string[]): WalkOptions["includes"] {
  return (path, local) => {
    const call = formatInModulePath(path, local.replace(/ \(expand\)$/, ""));
    return addresses.some((address) => address.startsWith(`${call}.`));
  };
}
