// SPDX-License-Identifier: Apache-2.0
import { isNotFound } from "../machinery/client/api-error.ts";
import { hasTimedOut } from "../machinery/client/limited-signal.ts";
import type { ReconcileContext, ReconcileResult } from "../machinery/controller/controller.ts";
import { reconcileError, reconcilePaused } from "../reconcile/conditions.ts";
import { apiResourceOf } from "../reconcile/kind-controller.ts";
import { annotationOf } from "../reconcile/managed-resource.ts";
import { ObjectController } from "../reconcile/object-controller.ts";
import { ObjectWriter } from "../reconcile/object-writer.ts";
import { ResourceEvents } from "../reconcile/resource-events.ts";
import { isSuperseded, StepFailure } from "../reconcile/step-failure.ts";
import type { ComponentObject, ComponentWriter } from "./component-object.ts";
import type { ComponentControllerSettings } from "./component-settings.ts";
import { EphemeralStep } from "./ephemeral-step.ts";
import { ReadStep } from "./read-step.ts";

/** Reads the objects of one kind that represent a data source, function, list resource or ephemeral resource. */
export class ComponentController extends ObjectController<ComponentObject> {
  readonly #settings: ComponentControllerSettings;
  readonly #events: ResourceEvents;
  readonly #step: ReadStep | EphemeralStep;

  constructor(settings: ComponentControllerSettings) {
    const { kind, version, configs, workers = 4 } = settings;
    super({
      ...settings,
      workers,
      resource: apiResourceOf(kind, version),
      reconcile: (key, context) => this.#reconcile(key, context),
      watchedMetadata: ["annotations"],
      disconnect: (object) => configs.usages.release(object),
    });
    this.#settings = settings;
    this.#events = new ResourceEvents(settings.events);
    this.#step = kind.component === "ephemeral" ? new EphemeralStep(settings) : new ReadStep(settings);
  }

  async #reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult> {
    const object = this.find(key);
    if (object === undefined) return {};
    const { client, kind, version } = this.#settings;
    const writer: ComponentWriter = new ObjectWriter(client, apiResourceOf(kind, version), object);
    try {
      if (annotationOf(object, "paused") === "true") {
        await writer.setStatus({ conditions: [reconcilePaused] });
        return {};
      }
      return await this.#step.reconcile(writer, context);
    } catch (error) {
      try {
        return await this.#report(writer, error, context);
      } catch (reported) {
        if (isNotFound(reported)) return {};
        throw reported;
      }
    }
  }

  /** Reports a failure by a condition and an event. */
  async #report(writer: ComponentWriter, error: unknown, { signal }: ReconcileContext): Promise<ReconcileResult> {
    // The object has changed, the work is being ended, or another replica works on the object: none of them is a failure of the read.
    if (isSuperseded(error) || (signal.aborted && !hasTimedOut(signal))) throw error;
    const message = hasTimedOut(signal) ? "the read took too long" : (error as Error).message;
    this.#events.failed(writer.object, error, message);
    await writer.setStatus({ conditions: [reconcileError(message)] });
    if (error instanceof StepFailure && !error.repeats) return {};
    throw error;
  }
}
