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
import { managedFinalizer, pollIntervalOf } from "../reconcile/managed-resource.ts";
import { errorText, StepFailure } from "../reconcile/step-failure.ts";
import type { ResourceState } from "../state/state-store.ts";
import type { StoredEphemeral } from "../state/stored-state.ts";
import type { ComponentObject } from "./component-object.ts";
import { componentParameters, objectName, recordWarnings } from "./component-parameters.ts";
import type { ComponentControllerSettings } from "./component-settings.ts";
import type { ComponentWriter } from "./component-writer.ts";
import { deleteEphemeralSecret, findEphemeralSecret, openedAtAnnotation, secretPlaceOf, writeEphemeralSecret } from "./ephemeral-secret.ts";

/** Share of the time until a renewal is due after which it is made. */
const renewalShare = 0.8;

/** Longest time between two looks at an ephemeral resource, in milliseconds: a timer cannot be longer. */
const longestMs = 2_147_483_647;

/**
 * Keeps an ephemeral resource open: opens it, writes its values to a Secret, renews it in time, and closes it when the object is deleted or it is
 * replaced, because the parameters have changed or the Secret is gone.
 *
 * The private data of the provider are in the state Secret. They are stored before the values are written and before an earlier one is closed, so
 * that an interruption loses none that is not closed later; only one that is interrupted between the open and the store is left to expire.
 */
export class EphemeralStep {
  readonly #settings: ComponentControllerSettings;

  constructor(settings: ComponentControllerSettings) {
    this.#settings = settings;
  }

  /** @throws StepFailure, ProviderError, ApiError: it is tried again later. */
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
    const open = state.current?.ephemeral;
    const place = secretPlaceOf(writer.object);
    const secret = await findEphemeralSecret(client, writer.object, place, signal);
    const isCurrent =
      open !== undefined &&
      open.configuration === configuration &&
      isDeepStrictEqual(open.secret, place) &&
      secret?.metadata.annotations?.[openedAtAnnotation] === open.openedAt;
    const kept = isCurrent && (await this.#renewed(type, writer.object, state, open, signal));
    if (!kept) await this.#open(type, writer.object, state, { config, configuration, place }, signal);
    await this.#closeEarlier(type, writer.object, state);
    return await this.#finish(writer, state.current!.ephemeral!);
  }

  async #type(owner: ComponentObject, signal: AbortSignal): Promise<ComponentType> {
    const { configs, kind } = this.#settings;
    const provider = await configs.connect(owner.spec.providerConfigRef ?? { name: "default" }, owner, signal);
    return await ephemeralResourceType(provider, kind.typeName, { providerAddress: configs.settings.supply.address, signal });
  }

  /** Renews what is due. @returns false where that fails, and another one must be opened. */
  async #renewed(
    type: ComponentType,
    owner: ComponentObject,
    state: ResourceState,
    open: StoredEphemeral,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (open.renewFrom === undefined || Date.parse(open.renewFrom) > Date.now()) return true;
    const { kind, events } = this.#settings;
    const response = await renewEphemeral(type, bytesOf(open.private), { address: objectName(kind, owner), signal });
    recordWarnings(events, owner, response.diagnostics);
    if (hasErrors(response.diagnostics)) {
      events.record(owner, { type: "Warning", reason: "CannotRenew", note: errorText(response.diagnostics) });
      return false;
    }
    const { renewAt: _, renewFrom: __, ...rest } = open;
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
    recordWarnings(events, owner, diagnostics);
    if (opened === undefined) throw new StepFailure("CannotOpen", errorText(diagnostics));
    const before = state.current?.ephemeral;
    const closing = [...(before?.closing ?? []), ...(before ? [before.private ?? null] : [])];
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
      // Another replica has opened one: this one is not used.
      await closeEphemeral(type, opened.private, options).catch(() => undefined);
      throw error;
    }
    const secret = await findEphemeralSecret(client, owner, place, undefined);
    await writeEphemeralSecret(client, kind, owner, ephemeral, opened.result, secret);
    if (before && !isDeepStrictEqual(before.secret, place)) await deleteEphemeralSecret(client, owner, before.secret);
    events.record(owner, { type: "Normal", reason: "Opened", note: `the values are in the Secret ${place.namespace}/${place.name}` });
  }

  /** Closes those that the current one has replaced. */
  async #closeEarlier(type: ComponentType, owner: ComponentObject, state: ResourceState): Promise<void> {
    const { closing = [], ...rest } = state.current!.ephemeral!;
    if (closing.length === 0) return;
    for (const data of closing) await this.#close(type, owner, data ?? undefined);
    await state.save({ ...state.current!, ephemeral: rest });
  }

  /** Closes one. What the provider cannot close expires by itself: its errors are reported, and nothing is repeated. */
  async #close(type: ComponentType, owner: ComponentObject, data: string | undefined): Promise<void> {
    const { kind, events } = this.#settings;
    const diagnostics = await closeEphemeral(type, bytesOf(data), { address: objectName(kind, owner) });
    recordWarnings(events, owner, diagnostics);
    if (hasErrors(diagnostics)) events.record(owner, { type: "Warning", reason: "CannotClose", note: errorText(diagnostics) });
  }

  async #delete(writer: ComponentWriter, signal: AbortSignal): Promise<ReconcileResult> {
    const { client, states } = this.#settings;
    const { finalizers = [] } = writer.object.metadata;
    if (!finalizers.includes(managedFinalizer)) return {};
    const state = await states.open(writer.object, { fresh: true, signal });
    const open = state.current?.ephemeral;
    if (open) {
      await writer.setStatus([deleting]);
      const type = await this.#type(writer.object, signal);
      await deleteEphemeralSecret(client, writer.object, open.secret);
      for (const data of [...(open.closing ?? []), open.private ?? null]) await this.#close(type, writer.object, data ?? undefined);
    }
    await state.delete();
    await writer.removeFinalizer();
    return {};
  }

  async #finish(writer: ComponentWriter, { openedAt, renewAt, renewFrom }: StoredEphemeral): Promise<ReconcileResult> {
    const { pollMs = 60_000, pollJitter = 0.1 } = this.#settings;
    await writer.setStatus([available, reconcileSuccess], { openedAt, renewAt });
    const poll = (pollIntervalOf(writer.object) ?? pollMs) * (1 + (Math.random() * 2 - 1) * pollJitter);
    const untilRenewal = renewFrom === undefined ? Infinity : Date.parse(renewFrom) - Date.now();
    return { requeueAfterMs: Math.max(1, Math.min(poll, untilRenewal, longestMs)) };
  }
}

/** When a renewal is due, and when it is made. */
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
