// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { encode } from "@tenon/cty/json";
import { hasErrors, impliedType } from "@tenon/schema";
import { closeEphemeral, ephemeralResourceType, openEphemeral, renewEphemeral, type ComponentType } from "@tenon/schema/lifecycle";
import type { ReconcileContext, ReconcileResult } from "../machinery/controller/controller.ts";
import { available, deleting, reconcileSuccess } from "../reconcile/conditions.ts";
import { managedFinalizer } from "../reconcile/managed-resource.ts";
import { pollDelay } from "../reconcile/poll-delay.ts";
import { objectName } from "../reconcile/reconcile-work.ts";
import { ResourceEvents } from "../reconcile/resource-events.ts";
import { errorText, StepFailure } from "../reconcile/step-failure.ts";
import type { ResourceState } from "../state/state-store.ts";
import type { StoredEphemeral } from "../state/stored-state.ts";
import type { ComponentObject, ComponentWriter } from "./component-object.ts";
import { componentParameters } from "./component-parameters.ts";
import type { ComponentControllerSettings } from "./component-settings.ts";
import { deleteEphemeralSecret, findEphemeralSecret, openedAtAnnotation, secretPlaceOf, writeEphemeralSecret } from "./ephemeral-secret.ts";

/** Share of the time until a renewal is due, after which the renewal is made. */
const renewalShare = 0.8;

/** Maximum duration of a timer, in milliseconds. */
const maxTimerMs = 2_147_483_647;

/**
 * Keeps an ephemeral resource open: opens it, writes its values to a Secret, renews it in time, and closes it when its object is deleted. If the
 * parameters have changed or the Secret is gone, it opens another ephemeral resource and closes the earlier one.
 *
 * The state Secret has the provider's private data, which a close needs. They are stored before the values are written and before an earlier
 * ephemeral resource is closed, so that a later reconcile can close whatever an interruption leaves open. The exception is an interruption between
 * the open and the store: that ephemeral resource is never closed, and expires.
 */
export class EphemeralStep {
  readonly #settings: ComponentControllerSettings;
  readonly #events: ResourceEvents;

  constructor(settings: ComponentControllerSettings) {
    this.#settings = settings;
    this.#events = new ResourceEvents(settings.events);
  }

  /** @throws StepFailure, ProviderError, ApiError, after which the object is reconciled again later. */
  async reconcile(writer: ComponentWriter, { signal }: ReconcileContext): Promise<ReconcileResult> {
    const { client, states } = this.#settings;
    const { metadata } = writer.object;
    if (metadata.deletionTimestamp !== undefined) return await this.#delete(writer, signal);
    const config = await componentParameters(this.#settings, writer, signal);
    const configuration = createHash("sha256")
      .update(encode(config, impliedType(this.#settings.kind.schema.block), { convert }))
      .digest("hex");
    const type = await this.#type(writer.object, signal);
    await writer.addFinalizer(signal);
    const state = await states.open(writer.object, { fresh: true, signal });
    const stored = state.current?.ephemeral;
    const place = secretPlaceOf(writer.object);
    const secret = await findEphemeralSecret(client, writer.object, place, signal);
    const isCurrent =
      stored !== undefined &&
      stored.configuration === configuration &&
      isDeepStrictEqual(stored.secret, place) &&
      secret?.metadata.annotations?.[openedAtAnnotation] === stored.openedAt;
    const isKept = isCurrent && (await this.#renewIfDue(type, writer.object, state, stored, signal));
    if (!isKept) await this.#open(type, writer.object, state, { config, configuration, place }, signal);
    await this.#closeEarlier(type, writer.object, state);
    return await this.#finish(writer, state.current!.ephemeral!);
  }

  async #type(owner: ComponentObject, signal: AbortSignal): Promise<ComponentType> {
    const { configs, kind } = this.#settings;
    const provider = await configs.connect(owner.spec.providerConfigRef ?? { name: "default" }, owner, signal);
    return await ephemeralResourceType(provider, kind.typeName, { providerAddress: configs.settings.supply.address, signal });
  }

  /** Renews an ephemeral resource if a renewal is due. Returns false if that fails: another one must be opened. */
  async #renewIfDue(
    type: ComponentType,
    owner: ComponentObject,
    state: ResourceState,
    stored: StoredEphemeral,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (stored.renewFrom === undefined || Date.parse(stored.renewFrom) > Date.now()) return true;
    const { kind, events } = this.#settings;
    const response = await renewEphemeral(type, bytesOf(stored.private), { address: objectName(kind, owner), signal });
    this.#events.warned(owner, response.diagnostics);
    if (hasErrors(response.diagnostics)) {
      events.record(owner, { type: "Warning", reason: "CannotRenew", note: errorText(response.diagnostics) });
      return false;
    }
    const { renewAt: _, renewFrom: __, ...rest } = stored;
    const renewed = { ...rest, ...timesOf(response.renewAt), ...(response.private ? { private: base64(response.private) } : {}) };
    await state.save({ ...state.current!, ephemeral: renewed });
    return true;
  }

  async #open(
    type: ComponentType,
    owner: ComponentObject,
    state: ResourceState,
    { config, configuration, place }: { readonly config: Value; readonly configuration: string; readonly place: StoredEphemeral["secret"] },
    signal: AbortSignal,
  ): Promise<void> {
    const { client, kind, events, configs } = this.#settings;
    const options = { address: objectName(kind, owner), signal };
    const { opened, diagnostics } = await openEphemeral(type, config, options);
    this.#events.warned(owner, diagnostics);
    if (opened === undefined) throw new StepFailure("CannotOpen", errorText(diagnostics));
    const earlier = state.current?.ephemeral;
    const closing = [...(earlier?.closing ?? []), ...(earlier ? [earlier.private ?? null] : [])];
    const ephemeral: StoredEphemeral = {
      openedAt: new Date().toISOString(),
      ...timesOf(opened.renewAt),
      ...(opened.private ? { private: base64(opened.private) } : {}),
      configuration,
      secret: place,
      ...(closing.length > 0 ? { closing } : {}),
    };
    try {
      await state.save({ provider: configs.settings.supply.address, typeName: kind.typeName, ephemeral });
    } catch (error) {
      // Another replica has stored the ephemeral resource that it opened, so that nothing uses this one.
      await closeEphemeral(type, opened.private, options).catch(() => undefined);
      throw error;
    }
    const secret = await findEphemeralSecret(client, owner, place, undefined);
    await writeEphemeralSecret(client, kind, owner, ephemeral, opened.result, secret);
    if (earlier && !isDeepStrictEqual(earlier.secret, place)) await deleteEphemeralSecret(client, owner, earlier.secret);
    events.record(owner, { type: "Normal", reason: "Opened", note: `the values are in the Secret ${place.namespace}/${place.name}` });
  }

  /** Closes the ephemeral resources that the current one has replaced. */
  async #closeEarlier(type: ComponentType, owner: ComponentObject, state: ResourceState): Promise<void> {
    const { closing = [], ...rest } = state.current!.ephemeral!;
    if (closing.length === 0) return;
    for (const privateData of closing) await this.#close(type, owner, privateData ?? undefined);
    await state.save({ ...state.current!, ephemeral: rest });
  }

  /** Closes an ephemeral resource by its private data. Errors become events and the close is not repeated: the ephemeral resource expires. */
  async #close(type: ComponentType, owner: ComponentObject, privateData: string | undefined): Promise<void> {
    const { kind, events } = this.#settings;
    const diagnostics = await closeEphemeral(type, bytesOf(privateData), { address: objectName(kind, owner) });
    this.#events.warned(owner, diagnostics);
    if (hasErrors(diagnostics)) events.record(owner, { type: "Warning", reason: "CannotClose", note: errorText(diagnostics) });
  }

  async #delete(writer: ComponentWriter, signal: AbortSignal): Promise<ReconcileResult> {
    const { client, states } = this.#settings;
    const { finalizers = [] } = writer.object.metadata;
    if (!finalizers.includes(managedFinalizer)) return {};
    const state = await states.open(writer.object, { fresh: true, signal });
    const stored = state.current?.ephemeral;
    if (stored) {
      await writer.setStatus({ conditions: [deleting] });
      const type = await this.#type(writer.object, signal);
      await deleteEphemeralSecret(client, writer.object, stored.secret);
      for (const privateData of [...(stored.closing ?? []), stored.private ?? null])
        await this.#close(type, writer.object, privateData ?? undefined);
    }
    await state.delete();
    await writer.removeFinalizer();
    return {};
  }

  async #finish(writer: ComponentWriter, { openedAt, renewAt, renewFrom }: StoredEphemeral): Promise<ReconcileResult> {
    await writer.setStatus({ conditions: [available, reconcileSuccess], openedAt, renewAt: renewAt ?? null });
    const untilRenewal = renewFrom === undefined ? Infinity : Date.parse(renewFrom) - Date.now();
    return { requeueAfterMs: Math.max(1, Math.min(pollDelay(writer.object, this.#settings), untilRenewal, maxTimerMs)) };
  }
}

/** The times at which a renewal is due and is made, for the stored state. */
function timesOf(renewAt: Date | undefined): Pick<StoredEphemeral, "renewAt" | "renewFrom"> {
  if (renewAt === undefined) return {};
  const now = Date.now();
  const renewFrom = new Date(now + Math.max(0, renewAt.getTime() - now) * renewalShare);
  return { renewAt: renewAt.toISOString(), renewFrom: renewFrom.toISOString() };
}

function base64(data: Uint8Array): string {
  return Buffer.from(data).toString("base64");
}

function bytesOf(data: string | undefined): Uint8Array | undefined {
  return data === undefined ? undefined : new Uint8Array(Buffer.from(data, "base64"));
}
