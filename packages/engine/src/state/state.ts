// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import {
  compareAbsoluteResources,
  compareInstanceKeys,
  formatAbsoluteResource,
  formatProviderConfigInstance,
  type AbsoluteResource,
  type InstanceKey,
  type ProviderConfig,
  type ResourceInstanceObject,
} from "../address/index.ts";
import type { CheckResult } from "./check-result.ts";
import type { StateObject } from "./state-object.ts";

/** An output value of the root module. */
export interface StateOutput {
  /** Wholly known and without marks. */
  readonly value: Value;
  readonly sensitive: boolean;
  /** The deprecation message; absent if the output is not deprecated. */
  readonly deprecated?: string;
}

/** The objects of one resource instance. */
export interface StateInstance {
  readonly key?: InstanceKey;
  /** The key of the provider configuration's instance; absent if the provider configuration has no `for_each`. */
  readonly providerKey?: InstanceKey;
  readonly current?: StateObject;
  /** Replaced objects that are not destroyed yet, by their key of eight hexadecimal digits. */
  readonly deposed: ReadonlyMap<string, StateObject>;
}

/** A resource of a module instance, with the instances of the resource. */
export interface StateResource {
  readonly address: AbsoluteResource;
  readonly provider: ProviderConfig;
  readonly instances: ReadonlyMap<InstanceKey | undefined, StateInstance>;
}

/** The objects and output values that OpenTofu manages. A state is immutable: {@link StateDraft} makes changed copies. */
export interface State {
  /** By {@link formatAbsoluteResource}. */
  readonly resources: ReadonlyMap<string, StateResource>;
  readonly outputs: ReadonlyMap<string, StateOutput>;
  /** Undefined if the state has no check results. */
  readonly checkResults: readonly CheckResult[] | undefined;
}

/** The state without resources and output values. */
export const emptyState: State = { resources: new Map(), outputs: new Map(), checkResults: undefined };

/** The resource with the address; undefined if the state has none. */
export function resourceIn(state: State, address: AbsoluteResource): StateResource | undefined {
  return state.resources.get(formatAbsoluteResource(address));
}

/** The object with the address, current or deposed; undefined if the state has none. */
export function objectIn(state: State, { instance, deposed }: ResourceInstanceObject): StateObject | undefined {
  const objects = resourceIn(state, instance)?.instances.get(instance.key);
  return deposed === undefined ? objects?.current : objects?.deposed.get(deposed);
}

/** The resources in the order in which OpenTofu lists them. */
export function sortedResources(state: State): readonly StateResource[] {
  return [...state.resources.values()].sort((a, b) => compareAbsoluteResources(a.address, b.address));
}

/** The instances of a resource, ordered by key. */
export function sortedInstances({ instances }: StateResource): readonly StateInstance[] {
  return [...instances.values()].sort((a, b) => compareInstanceKeys(a.key, b.key));
}

/** The text of the provider configuration that an instance belongs to. */
export function providerTextOf({ provider }: StateResource, { providerKey }: StateInstance): string {
  return formatProviderConfigInstance(providerKey === undefined ? { config: provider } : { config: provider, key: providerKey });
}

/** Whether the state has neither resources nor outputs. */
export function isEmptyState({ resources, outputs }: State): boolean {
  return outputs.size === 0 && [...resources.values()].every(({ instances }) => instances.size === 0);
}
