// SPDX-License-Identifier: Apache-2.0
import {
  formatAbsoluteResource,
  formatProviderConfig,
  type AbsoluteResource,
  type InstanceKey,
  type ProviderConfig,
  type ResourceInstanceObject,
} from "../address/index.ts";
import type { CheckResult } from "./check-result.ts";
import { emptyState, type State, type StateInstance, type StateOutput, type StateResource } from "./state.ts";
import type { StateObject } from "./state-object.ts";

interface DraftResource {
  readonly address: AbsoluteResource;
  readonly provider: ProviderConfig;
  readonly instances: Map<InstanceKey | undefined, StateInstance>;
}

/** The instance of a provider configuration that an object belongs to. */
export interface ObjectProvider {
  readonly config: ProviderConfig;
  /** The key of the instance; absent if the provider configuration has no `for_each`. */
  readonly key?: InstanceKey;
}

/** An object with its address and its provider configuration. */
export interface StateObjectEntry {
  readonly address: ResourceInstanceObject;
  readonly object: StateObject;
  readonly provider: ObjectProvider;
}

/**
 * A state that can be changed. {@link snapshot} returns the current state as an immutable value.
 *
 * Snapshots share the resources that did not change between them. The first change of a resource after a snapshot copies the resource, so
 * that the cost of a change does not depend on the size of the state.
 */
export class StateDraft {
  #resources: Map<string, StateResource | DraftResource>;
  #outputs: Map<string, StateOutput>;
  #checkResults: readonly CheckResult[] | undefined;
  /** The addresses of the resources that no snapshot shares. They can be changed without a copy. */
  readonly #owned = new Set<string>();
  #ownsResources = false;
  #ownsOutputs = false;
  #latest: State | undefined;

  constructor(state: State = emptyState) {
    this.#resources = state.resources as Map<string, StateResource>;
    this.#outputs = state.outputs as Map<string, StateOutput>;
    this.#checkResults = state.checkResults;
    this.#latest = state;
  }

  /** The current state. Later changes do not affect it. Without changes since the last snapshot, the same object is returned. */
  snapshot(): State {
    if (this.#latest !== undefined) return this.#latest;
    this.#owned.clear();
    this.#ownsResources = false;
    this.#ownsOutputs = false;
    this.#latest = { resources: this.#resources, outputs: this.#outputs, checkResults: this.#checkResults };
    return this.#latest;
  }

  /** The current object at an address; undefined if there is none. */
  object({ instance, deposed }: ResourceInstanceObject): StateObject | undefined {
    const objects = this.#resources.get(formatAbsoluteResource(instance))?.instances.get(instance.key);
    return deposed === undefined ? objects?.current : objects?.deposed.get(deposed);
  }

  /** The provider configuration of an instance's objects; undefined if the state does not have the resource. */
  providerOf(instance: ResourceInstanceObject["instance"]): ObjectProvider | undefined {
    const resource = this.#resources.get(formatAbsoluteResource(instance));
    if (resource === undefined) return undefined;
    const { providerKey } = resource.instances.get(instance.key) ?? {};
    return { config: resource.provider, ...(providerKey !== undefined && { key: providerKey }) };
  }

  /** Sets the current or deposed object at an address, and replaces an existing one. */
  setObject({ instance, deposed }: ResourceInstanceObject, object: StateObject, provider: ObjectProvider): void {
    const resource = this.#own(instance, provider.config);
    const before = resource.instances.get(instance.key);
    const rest = {
      ...(instance.key === undefined ? {} : { key: instance.key }),
      ...(provider.key === undefined ? {} : { providerKey: provider.key }),
    };
    const objects =
      deposed === undefined
        ? { current: object, deposed: before?.deposed ?? new Map<string, StateObject>() }
        : { ...currentOf(before), deposed: new Map(before?.deposed).set(deposed, object) };
    resource.instances.set(instance.key, { ...rest, ...objects });
  }

  /**
   * Sets all objects of an instance; undefined removes the instance.
   *
   * @param provider The provider configuration of the resource. Required if the state does not have the resource.
   */
  setInstance(
    { key, ...resource }: ResourceInstanceObject["instance"],
    instance: Omit<StateInstance, "key"> | undefined,
    provider?: ProviderConfig,
  ): void {
    const { instances } = this.#own(resource, provider);
    if (instance === undefined) instances.delete(key);
    else instances.set(key, { ...(key !== undefined && { key }), ...instance });
  }

  /** Removes an object, and an instance without further objects. A resource without instances stays until {@link prune}. */
  removeObject({ instance, deposed }: ResourceInstanceObject): void {
    const before = this.#resources.get(formatAbsoluteResource(instance))?.instances.get(instance.key);
    if (before === undefined || (deposed === undefined ? before.current === undefined : !before.deposed.has(deposed))) return;
    const { instances } = this.#own(instance);
    const { current: _, ...rest } = before;
    const remainingDeposed = deposed === undefined ? before.deposed : new Map([...before.deposed].filter(([key]) => key !== deposed));
    const remaining: StateInstance = { ...rest, deposed: remainingDeposed, ...(deposed === undefined ? {} : currentOf(before)) };
    if (remaining.current === undefined && remainingDeposed.size === 0) instances.delete(instance.key);
    else instances.set(instance.key, remaining);
  }

  /** Turns the current object of an instance into a deposed one. Does nothing if the instance has no current object. */
  depose(instance: ResourceInstanceObject["instance"], deposedKey: string): void {
    const resource = this.#resources.get(formatAbsoluteResource(instance));
    const current = resource?.instances.get(instance.key)?.current;
    if (resource === undefined || current === undefined) return;
    const { providerKey } = resource.instances.get(instance.key)!;
    const provider = providerKey === undefined ? { config: resource.provider } : { config: resource.provider, key: providerKey };
    this.setObject({ instance, deposed: deposedKey }, current, provider);
    this.removeObject({ instance });
  }

  /** Adds a resource without instances, or changes the provider configuration of an existing resource. */
  setResourceProvider(address: AbsoluteResource, provider: ProviderConfig): void {
    this.#own(address, provider);
  }

  /** Removes a resource and all its instances. */
  removeResource(address: AbsoluteResource): void {
    const text = formatAbsoluteResource(address);
    if (!this.#resources.has(text)) return;
    this.#change();
    this.#resources.delete(text);
    this.#owned.delete(text);
  }

  /** Sets an output value of the root module; undefined removes it. */
  setOutput(name: string, output: StateOutput | undefined): void {
    if (output === undefined && !this.#outputs.has(name)) return;
    this.#latest = undefined;
    if (!this.#ownsOutputs) this.#outputs = new Map(this.#outputs);
    this.#ownsOutputs = true;
    if (output === undefined) this.#outputs.delete(name);
    else this.#outputs.set(name, output);
  }

  /** Replaces the results of all checks. */
  setCheckResults(results: readonly CheckResult[] | undefined): void {
    this.#latest = undefined;
    this.#checkResults = results;
  }

  /** Removes the resources without instances. */
  prune(): void {
    const empty = [...this.#resources.values()].filter(({ instances }) => instances.size === 0);
    for (const { address } of empty) this.removeResource(address);
  }

  #change(): void {
    this.#latest = undefined;
    if (!this.#ownsResources) this.#resources = new Map(this.#resources);
    this.#ownsResources = true;
  }

  /** Returns a resource that no snapshot shares: a new one, a copy, or the earlier copy. */
  #own(address: AbsoluteResource, provider?: ProviderConfig): DraftResource {
    this.#change();
    const text = formatAbsoluteResource(address);
    const before = this.#resources.get(text);
    if (before !== undefined && this.#owned.has(text) && (provider === undefined || isSameConfig(provider, before.provider)))
      return before as DraftResource;
    const resource: DraftResource = {
      address: { module: address.module, resource: address.resource },
      provider: provider ?? before!.provider,
      instances: new Map(before?.instances),
    };
    this.#resources.set(text, resource);
    this.#owned.add(text);
    return resource;
  }
}

function currentOf(instance: StateInstance | undefined): Pick<StateInstance, "current"> {
  return instance?.current === undefined ? {} : { current: instance.current };
}

function isSameConfig(a: ProviderConfig, b: ProviderConfig): boolean {
  return a === b || formatProviderConfig(a) === formatProviderConfig(b);
}
