// SPDX-License-Identifier: Apache-2.0
import type { ReconcileContext, ReconcileResult } from "../machinery/controller/controller.ts";
import { available, reconcileSuccess } from "../reconcile/conditions.ts";
import { publishConnection } from "../reconcile/connection-secret.ts";
import { pollDelay } from "../reconcile/poll-delay.ts";
import { objectName } from "../reconcile/reconcile-work.ts";
import { ResourceEvents } from "../reconcile/resource-events.ts";
import { observationOf } from "../values/observation.ts";
import type { ComponentWriter } from "./component-object.ts";
import { componentParameters } from "./component-parameters.ts";
import type { ComponentControllerSettings } from "./component-settings.ts";
import { readComponent } from "./read-component.ts";

/** Reads a data source, a function or a list, and publishes the result. */
export class ReadStep {
  readonly #settings: ComponentControllerSettings;
  readonly #events: ResourceEvents;

  constructor(settings: ComponentControllerSettings) {
    this.#settings = settings;
    this.#events = new ResourceEvents(settings.events);
  }

  /** @throws StepFailure, ProviderError, ApiError: the object is read again later. */
  async reconcile(writer: ComponentWriter, { signal }: ReconcileContext): Promise<ReconcileResult> {
    if (writer.object.metadata.deletionTimestamp !== undefined) return {};
    const { kind, configs } = this.#settings;
    const config = await componentParameters(this.#settings, writer, signal);
    const owner = writer.object;
    const provider = await configs.connect(owner.spec.providerConfigRef ?? { name: "default" }, owner, signal);
    const { value, warnings } = await readComponent({
      provider,
      providerAddress: configs.settings.supply.address,
      kind,
      config,
      spec: owner.spec,
      address: objectName(kind, owner),
      options: { signal },
    });
    this.#events.warned(owner, warnings);
    await publishConnection(this.#settings, kind, owner, value, signal);
    const { atProvider } = observationOf({ ...kind, fields: kind.results ?? kind.fields }, value);
    await writer.setStatus({ conditions: [available, reconcileSuccess], atProvider });
    return { requeueAfterMs: pollDelay(owner, this.#settings) };
  }
}
