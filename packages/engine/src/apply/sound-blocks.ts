// SPDX-License-Identifier: Apache-2.0
import { formatInModulePath } from "../address/module.ts";
import { configResourceOf } from "../address/resource.ts";
import { allModules } from "../configuration/configuration.ts";
import type { DependencyGraph } from "../evaluation/dependency-graph.ts";
import type { Faults } from "../evaluation/fault-log.ts";
import { AffectedBlocks } from "./affected-blocks.ts";
import type { ApplyRun } from "./apply-run.ts";
import { isOfCheck } from "./apply-selection.ts";
import type { RetainedBlocks } from "./retained-blocks.ts";

/**
 * Whether an output of the root module or a check, named by its address in the configuration, depends on nothing with errors. Forgets the
 * results and the diagnostics of the outputs and variables of all modules that do.
 */
export async function soundBlocks(run: ApplyRun, retained: RetainedBlocks): Promise<(address: string) => boolean> {
  const { input, walk, report } = run;
  const { graph, awaited } = retained;
  const affected = new AffectedBlocks(graph, await faultsOf(run, graph), awaited, (node, dependency) =>
    retained.isAwaitedBy(node, dependency),
  );
  const isSound = (address: string): boolean => {
    const node = graph.node(address);
    return node === undefined || !retained.isAffected(node, affected);
  };
  for (const { path, module } of allModules(input.configuration)) {
    const named = [
      ...[...module.outputs.keys()].map((name) => `output.${name}`),
      ...[...module.variables.keys()].map((name) => `var.${name}`),
    ];
    for (const address of named.map((local) => formatInModulePath(path, local))) {
      if (isSound(address)) continue;
      walk.checks.forget(address);
      walk.faults.remove(address, report);
    }
  }
  return isSound;
}

/** The blocks with errors, and the objects that were not changed because a destruction for which they waited has failed. */
async function faultsOf({ input, walk, steps }: ApplyRun, graph: DependencyGraph): Promise<Faults> {
  const faults = new Map(walk.faults.faultsIn(graph));
  const unmade = await steps.unmade((change) => !isOfCheck(input.configuration, change));
  for (const { address } of unmade) {
    const node = graph.resource(configResourceOf(address.instance));
    if (node === undefined || (faults.has(node) && faults.get(node) === undefined)) continue;
    faults.set(node, new Set(faults.get(node)).add(address.instance.key));
  }
  return faults;
}
