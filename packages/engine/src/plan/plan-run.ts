// SPDX-License-Identifier: Apache-2.0
import type { ResourceType } from "@tenon/schema/lifecycle";
import {
  formatConfigResource,
  formatResourceInstance,
  formatResourceInstanceObject,
  type ResourceInstance,
  type ResourceInstanceObject,
} from "../address/resource.ts";
import type { Configuration } from "../configuration/configuration.ts";
import type { Report } from "../configuration/report.ts";
import type { DependencyGraph } from "../evaluation/dependency-graph.ts";
import type { EventListener } from "../events/events.ts";
import { StateDraft, type ObjectProvider } from "../state/state-draft.ts";
import type { State } from "../state/state.ts";
import type { ImportTargets } from "./import-targets.ts";
import type { DeferredChange, PlanMode, ResourceChange } from "../change/planned-changes.ts";

/** How a plan is made. */
export interface PlanSettings {
  readonly mode: PlanMode;
  /** Whether objects are read from their providers before they are planned. */
  readonly refresh: boolean;
  /** Texts of the instances that are replaced although they could be updated or are unchanged. */
  readonly replace: ReadonlySet<string>;
  /** Whether an instance takes part. */
  readonly isInstanceIncluded: (instance: ResourceInstance) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** What all parts of a plan share: the settings, the states that are being made, and the changes. */
export class PlanRun {
  readonly configuration: Configuration;
  readonly settings: PlanSettings;
  readonly graph: DependencyGraph;
  readonly report: Report;
  readonly emit: EventListener;
  /** Objects that were moved: the earlier address by the text of the present one. */
  readonly moved: ReadonlyMap<string, ResourceInstance>;
  readonly imports: ImportTargets;
  /** The state before the plan, with upgraded objects. */
  readonly previous: StateDraft;
  /** The state as the providers report it. */
  readonly refreshed: StateDraft;
  /** By the text of the object's address. */
  readonly changes: Map<string, ResourceChange> = new Map();
  /** Changes that are left to a later plan, by the text of the object's address. */
  readonly deferred: Map<string, DeferredChange> = new Map();
  /** Types of the objects in the state, by the text of the object's address. */
  readonly types: Map<string, ResourceType> = new Map();
  /** Resources that create a new object before they destroy the old one, because a resource that depends on them does. */
  readonly createBeforeDestroy: ReadonlySet<string>;
  readonly #changesByResource = new Map<string, ResourceChange[]>();
  readonly #deferredResources = new Set<string>();
  readonly #dependencies = new Map<string, readonly string[]>();

  constructor(
    parts: Pick<PlanRun, "configuration" | "settings" | "graph" | "report" | "emit" | "moved" | "imports" | "createBeforeDestroy"> & {
      readonly state: State;
    },
  ) {
    this.configuration = parts.configuration;
    this.settings = parts.settings;
    this.graph = parts.graph;
    this.report = parts.report;
    this.emit = parts.emit;
    this.moved = parts.moved;
    this.imports = parts.imports;
    this.createBeforeDestroy = parts.createBeforeDestroy;
    this.previous = new StateDraft(parts.state);
    this.refreshed = new StateDraft(parts.state);
  }

  /** Adds a change. */
  add(change: ResourceChange): void {
    this.changes.set(formatResourceInstanceObject(change.address), change);
    this.#addToResource(change);
    this.emit({ type: "planned", change });
  }

  /** Adds a change that is left to a later plan. Others see it as one that is pending. */
  defer(deferred: DeferredChange): void {
    this.deferred.set(formatResourceInstanceObject(deferred.change.address), deferred);
    this.#deferredResources.add(this.#addToResource(deferred.change));
    this.emit({ type: "deferred", ...deferred });
  }

  /** Whether a change of a resource is left to a later plan. */
  isDeferred(configResource: string): boolean {
    return this.#deferredResources.has(configResource);
  }

  /** Adds a change to those of its resource. Returns the resource's address. */
  #addToResource(change: ResourceChange): string {
    const { module, resource } = change.address.instance;
    const key = formatConfigResource({ module: module.map(({ name }) => name), resource });
    const list = this.#changesByResource.get(key);
    if (list === undefined) this.#changesByResource.set(key, [change]);
    else list.push(change);
    return key;
  }

  /** The changes of all instances of a block. */
  changesOf(configResource: string): readonly ResourceChange[] {
    return this.#changesByResource.get(configResource) ?? [];
  }

  /** The addresses of the resources that a resource depends on, as states have them. */
  dependenciesOf(instance: ResourceInstance): readonly string[] {
    const resource = { module: instance.module.map(({ name }) => name), resource: instance.resource };
    const key = formatConfigResource(resource);
    let found = this.#dependencies.get(key);
    if (found === undefined) this.#dependencies.set(key, (found = this.graph.stateDependencies(resource)));
    return found;
  }

  /** The address that an instance had before it was moved. */
  previousAddress(instance: ResourceInstance): ResourceInstance {
    return this.moved.get(formatResourceInstance(instance)) ?? instance;
  }

  /** The provider configuration that an object in the state belongs to. */
  recordedProvider(object: ResourceInstanceObject): ObjectProvider | undefined {
    return this.previous.providerOf(object.instance);
  }
}
