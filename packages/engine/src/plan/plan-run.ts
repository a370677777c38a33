// SPDX-License-Identifier: Apache-2.0
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import type { ResourceType } from "@tenon/schema/lifecycle";
import {
  configResourceOf,
  formatConfigResource,
  formatResourceInstance,
  formatResourceInstanceObject,
  type ConfigResource,
  type ResourceInstance,
  type ResourceInstanceObject,
} from "../address/resource.ts";
import { modulePathOf } from "../address/module.ts";
import type { Configuration } from "../configuration/configuration.ts";
import type { Report } from "../configuration/report.ts";
import type { DependencyGraph } from "../evaluation/dependency-graph.ts";
import type { DependencyNode } from "../evaluation/dependency-node.ts";
import type { EventListener } from "../events/events.ts";
import { StateDraft, type ObjectProvider } from "../state/state-draft.ts";
import type { State } from "../state/state.ts";
import type { InstanceNode } from "../walk/instance-node.ts";
import type { ImportTargets } from "./import-targets.ts";
import type { DeferredChange, PlanMode, ResourceChange } from "../change/planned-changes.ts";

/** The options of a plan that the planning of each instance needs. */
export interface PlanSettings {
  readonly mode: PlanMode;
  /** Whether objects are read from their providers before they are planned. */
  readonly refresh: boolean;
  /** Addresses of the instances to replace although they could be updated or are unchanged, as texts. */
  readonly replace: ReadonlySet<string>;
  /** Whether the plan includes an instance. */
  readonly isInstanceIncluded: (instance: ResourceInstance) => boolean;
  /** Whether the plan includes the deposed objects of an instance. */
  readonly areDeposedIncluded: (instance: ResourceInstance) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The work in progress of a plan: its settings, the drafts of the states before and after refresh, and the changes so far. */
export class PlanRun {
  readonly configuration: Configuration;
  readonly settings: PlanSettings;
  readonly graph: DependencyGraph;
  readonly report: Report;
  readonly emit: EventListener;
  /** The address that each moved object had before, by the text of the address that it has now. */
  readonly moved: ReadonlyMap<string, ResourceInstance>;
  readonly imports: ImportTargets;
  /** The state before the plan, in which objects are upgraded to the current schemas. */
  readonly previous: StateDraft;
  /** The state with the objects as their providers report them. */
  readonly refreshed: StateDraft;
  /** Changes by the text of the object's address. */
  readonly changes: Map<string, ResourceChange> = new Map();
  /** Changes that are deferred to a later plan, by the text of the object's address. */
  readonly deferred: Map<string, DeferredChange> = new Map();
  /** Types of the objects in the state, by the text of the object's address. */
  readonly types: Map<string, ResourceType> = new Map();
  /** What providers have reported of planned destructions, by the text of the object's address. */
  readonly destroyDiagnostics: Map<string, readonly AddressedDiagnostic[]> = new Map();
  /** Resources that must have `create_before_destroy` because a resource that depends on them has it. */
  readonly createBeforeDestroy: ReadonlySet<string>;
  /**
   * Plans the objects of resources, named by their addresses in the configuration, that the configuration does not declare any more. Each is
   * planned once. Rejects with `UpstreamError` if one of them cannot be planned.
   */
  readonly planOrphansOf: (resources: readonly string[]) => Promise<void>;
  readonly #changesByResource = new Map<string, ResourceChange[]>();
  readonly #deferredResources = new Set<string>();
  readonly #dependencies = new Map<string, readonly string[]>();
  #orphans: readonly ConfigResource[] | undefined;

  constructor(
    parts: Pick<PlanRun, "configuration" | "settings" | "graph" | "report" | "emit" | "moved" | "imports" | "createBeforeDestroy"> & {
      readonly state: State;
      readonly planOrphansOf?: PlanRun["planOrphansOf"];
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
    this.planOrphansOf = parts.planOrphansOf ?? (async () => undefined);
    this.previous = new StateDraft(parts.state);
    this.refreshed = new StateDraft(parts.state);
  }

  add(change: ResourceChange): void {
    this.changes.set(formatResourceInstanceObject(change.address), change);
    this.#addToResource(change);
    this.emit({ type: "planned", change });
  }

  /** Adds a change that is deferred to a later plan. To dependents it counts as a pending change. */
  defer(deferred: DeferredChange): void {
    this.deferred.set(formatResourceInstanceObject(deferred.change.address), deferred);
    this.#deferredResources.add(this.#addToResource(deferred.change));
    this.emit({ type: "deferred", ...deferred });
  }

  /** Defers the changes that depend on a resource without changes of its own: an ephemeral resource that its provider defers. */
  deferDependents(configResource: string): void {
    this.#deferredResources.add(configResource);
  }

  /** Whether any resource is deferred. */
  get hasDeferrals(): boolean {
    return this.#deferredResources.size > 0;
  }

  /** Whether a change of a resource is deferred to a later plan. */
  isDeferred(configResource: string): boolean {
    return this.#deferredResources.has(configResource);
  }

  /** Adds a change to the list of its resource. Returns the resource's address. */
  #addToResource(change: ResourceChange): string {
    const { module, resource } = change.address.instance;
    const key = formatConfigResource({ module: modulePathOf(module), resource });
    const list = this.#changesByResource.get(key);
    if (list === undefined) this.#changesByResource.set(key, [change]);
    else list.push(change);
    return key;
  }

  /** The changes of all instances of a resource. */
  changesOf(configResource: string): readonly ResourceChange[] {
    return this.#changesByResource.get(configResource) ?? [];
  }

  /** The addresses of the resources that an instance depends on, as a state records them. */
  dependenciesOf({ configText, address }: Pick<InstanceNode, "configText" | "address">): readonly string[] {
    let dependencies = this.#dependencies.get(configText);
    if (dependencies === undefined) {
      dependencies = this.graph.stateDependencies(
        { module: modulePathOf(address.module), resource: address.resource },
        this.#orphanResources,
      );
      this.#dependencies.set(configText, dependencies);
    }
    return dependencies;
  }

  /** The addresses of the resources that an instance depends on, without those that only the state has. */
  declaredDependenciesOf({ address }: Pick<InstanceNode, "address">): readonly string[] {
    return this.graph.stateDependencies({ module: modulePathOf(address.module), resource: address.resource }, () => []);
  }

  /** The addresses of the resources that a block stands for or depends on, also of those that only the state has. */
  resourcesBefore(node: DependencyNode): readonly string[] {
    return this.graph.resourcesAmong([node, ...this.graph.ancestors(node)], this.#orphanResources);
  }

  /** Resources of the state that the configuration does not declare. */
  readonly #orphanResources = (): readonly ConfigResource[] =>
    (this.#orphans ??= [...this.previous.snapshot().resources.values()]
      .map(({ address }) => configResourceOf(address))
      .filter((resource) => this.graph.resource(resource) === undefined));

  /** The address that an instance had before it was moved. */
  previousAddress(instance: ResourceInstance): ResourceInstance {
    return this.moved.get(formatResourceInstance(instance)) ?? instance;
  }

  /** The provider configuration that the state records for an object. */
  recordedProvider(object: ResourceInstanceObject): ObjectProvider | undefined {
    return this.previous.providerOf(object.instance);
  }
}
