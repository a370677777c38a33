// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import { formatInModulePath } from "../address/module.ts";
import { formatResource } from "../address/resource.ts";
import { allModules, type Configuration } from "../configuration/configuration.ts";
import { resourcesIn } from "../configuration/module.ts";
import type { CheckableKind, CheckObjectResult, CheckResult, CheckStatus } from "../state/check-result.ts";

/** The result of one condition. */
export interface ConditionResult {
  readonly status: CheckStatus;
  /** The error message of a failed condition. */
  readonly failure?: string;
}

interface LoggedObject {
  readonly results: ConditionResult[];
}

/** A block with conditions. */
interface LoggedBlock {
  readonly kind: CheckableKind;
  /** Number of conditions of each object. */
  readonly conditions: number;
  /** The objects of the block by address; undefined if they are not known yet. */
  objects: Map<string, LoggedObject> | undefined;
  /** Whether a plan has determined the objects, so that none is added. */
  isPlanned: boolean;
}

/** Collects the results of all conditions of a run, by object. */
export class CheckLog {
  /** By address in the configuration. */
  readonly #blocks = new Map<string, LoggedBlock>();

  /** Adds all blocks of a configuration that have conditions. @see OpenTofu checks/state_init.go */
  expectConfiguration(configuration: Configuration): void {
    for (const { module, path } of allModules(configuration)) {
      const expect = (kind: CheckableKind, local: string, conditions: number): void => {
        if (conditions > 0) this.#blocks.set(formatInModulePath(path, local), { kind, conditions, objects: undefined, isPlanned: false });
      };
      for (const { address, preconditions, postconditions } of resourcesIn(module)) {
        expect("resource", formatResource(address), preconditions.length + postconditions.length);
      }
      for (const { name, preconditions } of module.outputs.values()) expect("output", `output.${name}`, preconditions.length);
      for (const { name, assertions, data } of module.checks.values())
        expect("check", `check.${name}`, assertions.length + (data === undefined ? 0 : 1));
      for (const { name, validations } of module.variables.values()) expect("var", `var.${name}`, validations.length);
    }
  }

  /** Adds the objects that a plan has determined. Their conditions have no results yet. @see OpenTofu context_walk.go, graphWalker */
  expectPlanned(checks: readonly CheckResult[]): void {
    for (const { address, objects } of checks) {
      const block = this.#blocks.get(address);
      if (block === undefined || objects === undefined) continue;
      block.objects = new Map(objects.map((object) => [object.address, { results: [] }]));
      block.isPlanned = true;
    }
  }

  /** Records that the objects of a block are about to be added. The block may have none. */
  expectObjects(configAddress: string): void {
    const block = this.#blocks.get(configAddress);
    if (block !== undefined) block.objects ??= new Map();
  }

  /** Adds an object of a block, before its conditions have results. */
  expectObject(configAddress: string, address: string): void {
    this.expectObjects(configAddress);
    const block = this.#blocks.get(configAddress);
    if (block?.objects === undefined || block.isPlanned || block.objects.has(address)) return;
    block.objects.set(address, { results: [] });
  }

  /** Adds the result of a condition of an object. */
  add(configAddress: string, address: string, result: ConditionResult): void {
    this.expectObject(configAddress, address);
    this.#blocks.get(configAddress)?.objects?.get(address)?.results.push(result);
  }

  /** Drops the results of the conditions of a block. */
  forget(configAddress: string): void {
    for (const { results } of this.#blocks.get(configAddress)?.objects?.values() ?? []) results.length = 0;
  }

  /** Drops the objects of a block, as if they were not known. */
  forgetObjects(configAddress: string): void {
    const block = this.#blocks.get(configAddress);
    if (block !== undefined) block.objects = undefined;
  }

  /** Whether a condition of an object has failed, or could not be evaluated. */
  hasFailed(configAddress: string, address: string): boolean {
    const results = this.#blocks.get(configAddress)?.objects?.get(address)?.results ?? [];
    return results.some(({ status }) => status === "fail" || status === "error");
  }

  /** All results, by block. */
  results(): readonly CheckResult[] {
    return [...this.#blocks].map(([address, { kind, conditions, objects }]) => {
      if (objects === undefined) return { kind, address, status: "unknown", objects: undefined };
      const results = [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([object, logged]) => objectResult(object, logged, conditions));
      return { kind, address, status: worstOf(results.map(({ status }) => status)), objects: results };
    });
  }
}

/** The result of an object. Conditions without a result are unknown. */
function objectResult(address: string, { results }: LoggedObject, conditions: number): CheckObjectResult {
  const statuses = results.map(({ status }) => status);
  const failureMessages = results.flatMap(({ failure }) => (failure === undefined ? [] : [failure])).sort(compareCodePoints);
  return { address, status: worstOf(results.length < conditions ? [...statuses, "unknown"] : statuses), failureMessages };
}

/** The combined status: an error takes precedence over a failure, and a failure over an unknown result. @see OpenTofu checks.AggregateCheckStatus */
function worstOf(statuses: readonly CheckStatus[]): CheckStatus {
  const order: readonly CheckStatus[] = ["error", "fail", "unknown"];
  return order.find((status) => statuses.includes(status)) ?? "pass";
}
