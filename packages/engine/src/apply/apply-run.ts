// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { ProviderError } from "@tenon/schema";
import {
  configResourceOf,
  formatConfigResource,
  formatResourceInstanceObject,
  isUnknownInstance,
  type ResourceInstanceObject,
} from "../address/resource.ts";
import type { PlannedChanges, ResourceChange } from "../change/planned-changes.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { reportError, type Report } from "../configuration/report.ts";
import type { GivenVariable } from "../configuration/variable-values.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import type { Substitutions } from "../evaluation/substitutions.ts";
import type { ApplyAction, EventListener } from "../events/events.ts";
import type { FunctionEnvironment } from "../functions/environment.ts";
import type { ProviderPool } from "../provider/provider-pool.ts";
import type { Semaphore } from "../provider/semaphore.ts";
import type { ApplyJournal } from "../state/journal/apply-journal.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import { AppliedState } from "./applied-state.ts";
import { Provisioners } from "./provisioners.ts";
import { StepProgress } from "./step-progress.ts";
import type { SelectionLimits } from "../plan/targeting.ts";
import type { StepRunner } from "./step-runner.ts";

/** A plan to apply, with its targets and exclusions, and the options of the apply. */
export interface ApplyInput extends SelectionLimits {
  readonly planned: PlannedChanges;
  readonly configuration: Configuration;
  readonly pool: ProviderPool;
  readonly variables: ReadonlyMap<string, GivenVariable | Value>;
  readonly workspace: string;
  readonly workingFolder: string;
  readonly environment: FunctionEnvironment;
  readonly emit: EventListener;
  /** Whether `local-exec` provisioners may run. */
  readonly allowsLocalExec: boolean;
  /** What takes the place of providers and modules. Default: nothing. */
  readonly substitutions?: Substitutions | undefined;
  /** Whether the apply was asked to stop, so that it must start no further change. */
  readonly isStopped: () => boolean;
  readonly signal?: AbortSignal | undefined;
  /** Makes the key of an object that becomes deposed: eight hexadecimal digits. */
  readonly newDeposedKey: () => string;
  /** Undefined if the state's location cannot have a journal. */
  readonly journal: ApplyJournal | undefined;
}

/** The work in progress of an apply: the state so far, the diagnostics, and what the handlers of its steps share. */
export class ApplyRun {
  readonly input: ApplyInput;
  readonly walk: ResourceWalk;
  readonly steps: StepRunner;
  readonly report: Report;
  readonly state: AppliedState;
  readonly provisioners: Provisioners;
  /** Limits how many changes are made at once. A change that still waits here when the apply is stopped is not started. */
  readonly concurrency: Semaphore;
  readonly #changes: ReadonlyMap<string, ResourceChange>;
  /** Changes that are deferred to a later plan, by the text of the object's address. */
  readonly #deferred: ReadonlyMap<string, ResourceChange>;
  /** Resources, by their addresses in the configuration, whose instances the plan did not know. */
  readonly #undecided: ReadonlySet<string>;
  /** Resources, by their addresses in the configuration, of which the plan forgets objects. */
  readonly #forgotten: ReadonlySet<string>;
  readonly #isDeclared: (resource: string) => boolean;
  #isHalted = false;

  /** @param parts.isDeclared Whether the configuration declares a resource, named by its address. */
  constructor(
    input: ApplyInput,
    parts: Pick<ApplyRun, "walk" | "steps" | "concurrency"> & { readonly isDeclared: (resource: string) => boolean },
  ) {
    const { walk, steps, concurrency, isDeclared } = parts;
    const { planned, emit, allowsLocalExec, signal } = input;
    this.input = input;
    this.walk = walk;
    this.steps = steps;
    this.report = walk.report;
    this.concurrency = concurrency;
    this.state = new AppliedState(planned.priorState, input);
    this.provisioners = new Provisioners(walk, { emit, concurrency, allowsLocalExec, signal });
    this.#changes = new Map(planned.resources.map((change) => [formatResourceInstanceObject(change.address), change]));
    const deferred = (planned.deferred ?? []).map(({ change }) => change);
    this.#deferred = new Map(deferred.map((change) => [formatResourceInstanceObject(change.address), change]));
    const undecided = deferred.map(({ address }) => address.instance).filter(isUnknownInstance);
    this.#undecided = new Set(undecided.map((instance) => formatConfigResource(configResourceOf(instance))));
    const forgotten = planned.resources.filter(({ action }) => action === "forget");
    this.#forgotten = new Set(forgotten.map(({ address }) => formatConfigResource(configResourceOf(address.instance))));
    this.#isDeclared = isDeclared;
  }

  /** The planned change of an object, by the text of its address. */
  changeOf(object: string): ResourceChange | undefined {
    return this.#changes.get(object);
  }

  /** The change of an object that is deferred to a later plan, by the text of its address. */
  deferredChangeOf(object: string): ResourceChange | undefined {
    return this.#deferred.get(object);
  }

  /** Whether the plan did not know the instances of a resource, so that it has no changes of them. */
  isUndecided(configResource: string): boolean {
    return this.#undecided.has(configResource);
  }

  /**
   * The dependencies that the state records for a changed object: without resources that the configuration no longer declares, unless the plan
   * forgets their objects.
   *
   * @see OpenTofu transform_reference.go, AttachDependenciesTransformer; transform_module_expansion.go
   */
  recordedDependencies({ dependencies }: ResourceChange): readonly string[] {
    const isRecorded = (resource: string): boolean => this.#isDeclared(resource) || this.#forgotten.has(resource);
    return dependencies.every(isRecorded) ? dependencies : dependencies.filter(isRecorded);
  }

  /** Whether any change is deferred to a later plan. */
  get hasDeferred(): boolean {
    return this.#deferred.size > 0;
  }

  /** The signal as an option of a lifecycle operation. */
  get signal(): { readonly signal?: AbortSignal } {
    const { signal } = this.input;
    return signal === undefined ? {} : { signal };
  }

  /** Throws if the apply was asked to stop, so that the caller starts no change. Reports once, with OpenTofu's error, that it is incomplete. */
  checkStopped(): void {
    this.input.signal?.throwIfAborted();
    if (this.input.isStopped()) this.#halt();
  }

  #halt(): never {
    if (!this.#isHalted) reportError(this.report, "execution halted", "");
    this.#isHalted = true;
    throw new UpstreamError();
  }

  /** Records in the journal that the request for a change is about to be sent. Halts the apply if the record cannot be written. */
  async beginChange(object: ResourceInstanceObject, action: "create" | "update" | "delete", change: ResourceChange): Promise<void> {
    try {
      await this.state.begin(object, action, change);
    } catch {
      // The caller of the apply gets the error of the journal.
      this.#halt();
    }
  }

  /**
   * Records in the journal that a change is over because its call failed. If the request may have reached the provider, nothing is known of the
   * object, and the record of the begin stays.
   */
  endFailedChange(object: ResourceInstanceObject, error: unknown): void {
    if (error instanceof ProviderError && error.requestSent) return;
    this.state.end(object);
  }

  /** The events of a step. */
  progress(address: ResourceInstanceObject, action: ApplyAction, change: ResourceChange): StepProgress {
    return new StepProgress(this.input.emit, address, action, change);
  }
}
