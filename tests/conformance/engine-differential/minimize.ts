// SPDX-License-Identifier: Apache-2.0
import { sortOf } from "./compare.ts";
import { isBlock, type Block } from "./generate/block.ts";
import type { Module } from "./generate/module.ts";
import type { CaseStep, EngineCase } from "./generate/steps.ts";
import { runCase, runnableSteps, type RunCaseOptions, type StepReport } from "./run-case.ts";
import type { Sides } from "./sides.ts";

/**
 * Makes a failing case smaller, as long as it fails in the same way: without steps, items, blocks and attributes. Undefined if the case does
 * not fail in that way again.
 */
export async function minimize(
  sides: Sides,
  one: EngineCase,
  options: RunCaseOptions,
  sort: string,
): Promise<readonly StepReport[] | undefined> {
  let best = one;
  let reports: readonly StepReport[] | undefined;
  let left = 250;
  const attempt = async (candidate: EngineCase): Promise<boolean> => {
    if (left-- <= 0 || candidate.steps.length === 0) return false;
    let tried: readonly StepReport[];
    try {
      tried = await runCase(sides, runnableSteps(candidate), options);
    } catch {
      return false;
    }
    const [difference] = tried.at(-1)!.differences;
    if (difference === undefined || sortOf(difference) !== sort) return false;
    best = candidate;
    reports = tried;
    return true;
  };
  if (!(await attempt(one))) return undefined;
  const failedAt = stepsOf(reports!);
  if (failedAt < best.steps.length) await attempt({ ...best, steps: best.steps.slice(0, failedAt) });
  for (let index = 0; index < best.steps.length - 1;) {
    if (!(await attempt({ ...best, steps: best.steps.toSpliced(index, 1) }))) index++;
  }
  let progress = true;
  while (progress) {
    progress = false;
    for (const name of itemNames(best)) if (await attempt(withoutItem(best, name))) progress = true;
    for (const path of entryPaths(best)) if (await attempt(withoutEntry(best, path))) progress = true;
  }
  return reports;
}

function stepsOf(reports: readonly StepReport[]): number {
  return reports.filter(({ isAgain }) => !isAgain).length;
}

function itemNames({ steps }: EngineCase): readonly string[] {
  const names = steps.flatMap(({ modules }) =>
    modules.flatMap(({ name, items }) =>
      // Without its provider block, the tfcoremock example would write its objects into the working folder.
      items.filter(({ sort }) => sort !== "provider").map(({ id, block }) => `${name}/${id}/${block.header}`),
    ),
  );
  return [...new Set(names)].toReversed();
}

function withModules(one: EngineCase, change: (module: Module) => void): EngineCase {
  const steps: CaseStep[] = one.steps.map((step) => {
    const modules = structuredClone(step.modules) as Module[];
    modules.forEach(change);
    return { ...step, modules };
  });
  return { ...one, steps };
}

function withoutItem(one: EngineCase, name: string): EngineCase {
  return withModules(one, (module) => {
    const at = module.items.findIndex(({ id, block }) => `${module.name}/${id}/${block.header}` === name);
    if (at >= 0) module.items.splice(at, 1);
  });
}

/** Paths of entries: module, item, then headers and names. */
function entryPaths({ steps }: EngineCase): readonly string[] {
  const paths = new Set<string>();
  const visit = (block: Block, path: string): void => {
    for (const entry of block.entries) {
      const inner = `${path}/${isBlock(entry) ? entry.header : entry.name}`;
      paths.add(inner);
      if (isBlock(entry)) visit(entry, inner);
    }
  };
  for (const { modules } of steps) {
    for (const { name, items } of modules) for (const { id, sort, block } of items) if (sort !== "provider") visit(block, `${name}/${id}`);
  }
  return [...paths];
}

function withoutEntry(one: EngineCase, path: string): EngineCase {
  const remove = (block: Block, at: string): void => {
    for (let index = block.entries.length - 1; index >= 0; index--) {
      const entry = block.entries[index]!;
      const inner = `${at}/${isBlock(entry) ? entry.header : entry.name}`;
      if (inner === path) block.entries.splice(index, 1);
      else if (isBlock(entry)) remove(entry, inner);
    }
  };
  return withModules(one, ({ name, items }) => {
    for (const { id, block } of items) remove(block, `${name}/${id}`);
  });
}
