// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/hcl";
import {
  compareResourceInstances,
  formatAbsoluteResource,
  formatModuleInstance,
  formatResourceInstance,
  type ResourceInstance,
} from "../address/index.ts";
import { moduleTargetContains, parseTarget, type TargetSubject } from "../address/target.ts";
import { resourceIn, type State } from "../state/state.ts";
import { stateError } from "../state/state-diagnostic.ts";

/** The instances that addresses select. */
export interface SelectedInstances {
  readonly instances: readonly ResourceInstance[];
  readonly diagnostics: readonly Diagnostic[];
}

/** All instances of a state, in the order in which OpenTofu lists them. */
export function allInstances(state: State): readonly ResourceInstance[] {
  const all: ResourceInstance[] = [];
  for (const { address, instances } of state.resources.values()) {
    for (const { key } of instances.values()) all.push({ ...address, ...(key !== undefined && { key }) });
  }
  return all.sort(compareResourceInstances);
}

/**
 * The instances that an address of a module, a resource or an instance selects.
 *
 * @param allowMissing Whether an address that selects no instance is allowed. Else it is an error.
 * @see OpenTofu state_meta.go, lookupResourceInstanceAddr
 */
export function selectInstances(state: State, text: string, allowMissing: boolean): SelectedInstances {
  const { address, diagnostics } = parseTarget(text);
  if (address === undefined) return { instances: [], diagnostics };
  const instances = instancesOfTarget(state, address.subject);
  if (instances.length > 0 || allowMissing) return { instances, diagnostics: [] };
  return { instances, diagnostics: missingErrors(state, address.subject) };
}

function instancesOfTarget(state: State, subject: TargetSubject): readonly ResourceInstance[] {
  const all = allInstances(state);
  if (subject.kind === "module") return all.filter(({ module }) => moduleTargetContains(subject.module, module));
  if (subject.kind === "resource") {
    const text = formatAbsoluteResource(subject.resource);
    return all.filter((instance) => formatAbsoluteResource(instance) === text);
  }
  const text = formatResourceInstance(subject.instance);
  return all.filter((instance) => formatResourceInstance(instance) === text);
}

function missingErrors(state: State, subject: TargetSubject): readonly Diagnostic[] {
  const advice = 'you must run "tofu apply" first to';
  if (subject.kind === "module") {
    // The root module is in every state.
    if (subject.module.length === 0) return [];
    const detail = `The current state contains no module at ${formatModuleInstance(subject.module)}. If you've just added this module to the configuration, ${advice} create the module's entry in the state.`;
    return [stateError("Unknown module", detail)];
  }
  if (subject.kind === "resource") {
    if (resourceIn(state, subject.resource) !== undefined) return [];
    const detail = `The current state contains no resource ${formatAbsoluteResource(subject.resource)}. If you've just added this resource to the configuration, ${advice} create the resource's entry in the state.`;
    return [stateError("Unknown resource", detail)];
  }
  const detail = `The current state contains no resource instance ${formatResourceInstance(subject.instance)}. If you've just added its resource to the configuration or have changed the count or for_each arguments, ${advice} update the resource's entry in the state.`;
  return [stateError("Unknown resource instance", detail)];
}
