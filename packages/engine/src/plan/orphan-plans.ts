// SPDX-License-Identifier: Apache-2.0
import { configResourceOf, formatAbsoluteResource, formatConfigResource } from "../address/resource.ts";
import { Cell, settleAll, UpstreamError } from "../evaluation/cell.ts";
import type { StateResource } from "../state/state.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import { findOrphans } from "./find-orphans.ts";
import { planGuarded } from "./plan-orphan.ts";
import type { PlanRun } from "./plan-run.ts";

/**
 * Plans the objects of the state that the configuration does not declare any more: those that a data source or an ephemeral resource depends
 * on before it, and all others after the configuration.
 *
 * @see OpenTofu transform_orphan_resource.go, transform_module_expansion.go
 */
export class OrphanPlans {
  readonly #run: PlanRun;
  readonly #walk: ResourceWalk;
  /** By the address of the resource in the configuration. */
  readonly #resources: ReadonlyMap<string, readonly StateResource[]>;
  /** By the address of the resource in its module instance. */
  readonly #plans = new Map<string, Cell<void>>();

  constructor(run: PlanRun, walk: ResourceWalk) {
    this.#run = run;
    this.#walk = walk;
    this.#resources = Map.groupBy(run.previous.snapshot().resources.values(), ({ address }) =>
      formatConfigResource(configResourceOf(address)),
    );
  }

  /** Plans the objects of resources. @throws UpstreamError if one of them cannot be planned. */
  async planOf(resources: readonly string[]): Promise<void> {
    const recorded = resources.flatMap((resource) => this.#resources.get(resource) ?? []);
    if (!(await settleAll(recorded.map((resource) => this.#plan(resource, false))))) throw new UpstreamError();
  }

  /**
   * Plans all objects that are not planned yet.
   *
   * @param isWhole Whether the configuration was evaluated without errors.
   */
  async planAll(isWhole: boolean): Promise<void> {
    await settleAll([...this.#resources.values()].flat().map((resource) => this.#plan(resource, isWhole)));
  }

  /** Plans the objects of a resource. Rejects with `UpstreamError` if one of them cannot be planned. */
  #plan(resource: StateResource, isWhole: boolean): Promise<void> {
    const id = formatAbsoluteResource(resource.address);
    let plan = this.#plans.get(id);
    if (plan === undefined) {
      plan = new Cell(async () => {
        const orphans = await findOrphans(this.#run, this.#walk, resource, isWhole);
        if (!(await settleAll(orphans.map((orphan) => planGuarded(this.#run, this.#walk, orphan))))) throw new UpstreamError();
      });
      this.#plans.set(id, plan);
    }
    return plan.get();
  }
}
