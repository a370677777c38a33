// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { ResourceObject, ResourceType } from "@tenon/schema/lifecycle";
import type { ResourceState } from "../state/state-store.ts";
import { configurationOf } from "../values/parameters.ts";
import { driftStatus } from "./change-report.ts";
import { recordFoundCreation, saveObserved } from "./change-resource.ts";
import { annotationOf, isCreateIncomplete } from "./managed-resource.ts";
import { observeResource, type ResourceObservation } from "./observe-resource.ts";
import { operationOptions, type Observed, type ResourceReconcilerSettings, type Work } from "./reconcile-work.ts";
import type { ResourceEvents } from "./resource-events.ts";
import { StepFailure } from "./step-failure.ts";

/** Step of a reconcile that observes a resource, stores its state, and reports drift and a rebuilt state. */
export class ObserveStep {
  readonly #settings: ResourceReconcilerSettings;
  readonly #events: ResourceEvents;

  constructor(settings: ResourceReconcilerSettings, events: ResourceEvents) {
    this.#settings = settings;
    this.#events = events;
  }

  /** Observes the resource of an object. @throws As `observeResource`; StepFailure for invalid parameters. */
  async observe(work: Work): Promise<Observed> {
    const { writer, context } = work;
    const { kind, states, connect } = this.#settings;
    const { signal } = context;
    const owner = writer.object;
    const reference = owner.spec.providerConfigRef ?? { name: "default" };
    const type = await connect(reference, owner, signal);
    const trustsCache = annotationOf(owner, "createPending") === undefined;
    // What is known of an interrupted creation decides whether it is repeated: the cache may be behind.
    const state = await states.open(owner, { fresh: work.isAhead || isCreateIncomplete(owner), trustsCache, signal });
    const options = operationOptions(kind, owner, signal);
    const isDeleted = owner.metadata.deletionTimestamp !== undefined;
    const configuration = await this.#configuration(work, undefined, isDeleted);
    const observation = await observeResource({ type, kind, owner, state: state.current, configuration, options });
    this.#events.warned(owner, observation.diagnostics);
    const { object, lastKnown } = observation;
    // Before the new state is stored: an interrupted reconcile finds the drift again.
    if (lastKnown && !isDeleted) await this.#reportDrift(work, lastKnown, object?.value);
    if (object) await this.#store(work, type, state, observation, object);
    // Only parameters that apply to the creation alone depend on the state.
    const isSame = object === undefined || (owner.spec.initProvider === undefined && writer.object === owner);
    const config = isSame ? configuration : await this.#configuration(work, object.value, isDeleted);
    return { type, state, config, observation };
  }

  async #reportDrift({ writer }: Work, before: Value, after: Value | undefined): Promise<void> {
    const drift = driftStatus(this.#settings.kind, before, after);
    await writer.setStatus({ drift });
    this.#events.drifted(writer.object, drift);
  }

  /** Stores the resource, which the object may not have known completely. */
  async #store(
    { writer }: Work,
    type: ResourceType,
    state: ResourceState,
    { by }: ResourceObservation,
    object: ResourceObject,
  ): Promise<void> {
    await saveObserved({ type, state }, object);
    if (isCreateIncomplete(writer.object)) await recordFoundCreation({ writer, kind: this.#settings.kind }, object);
    if (by === "import") this.#events.imported(writer.object, annotationOf(writer.object, "externalName") ?? "the planned identity");
  }

  /** Converts the parameters. For a resource that is being deleted, problems do not matter: only identifiers are taken from it. */
  async #configuration({ writer: { object: owner }, secrets }: Work, state: Value | undefined, isDeleted: boolean): Promise<Value> {
    const { forProvider, initProvider } = owner.spec;
    const externalName = annotationOf(owner, "externalName");
    const { value, problems } = configurationOf(this.#settings.kind, {
      forProvider,
      ...(initProvider ? { initProvider } : {}),
      ...(externalName === undefined ? {} : { externalName }),
      ...(state ? { state } : {}),
      secret: await secrets(),
    });
    if (problems.length === 0 || isDeleted) return value;
    throw new StepFailure("InvalidParameters", problems.map(({ path, reason }) => `${path}: ${reason}`).join("; "));
  }
}
