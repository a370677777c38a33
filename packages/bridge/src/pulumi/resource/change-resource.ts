// SPDX-License-Identifier: Apache-2.0
import { hasErrors, type Diagnostic } from "@tenon/schema";
import { applyChange, planChange, planDestroy, type ApplyOutcome, type ResourceObject } from "@tenon/schema/lifecycle";
import { BridgeError } from "../../error.ts";
import type { PropertyMap } from "../property/property-value.ts";
import { errorTexts, showWarnings } from "./bridge-context.ts";
import { planUpdate, type ChangeRequest } from "./diff-resource.ts";
import { validConfigOf, type ResourceContext } from "./resource-context.ts";
import { decodePriorState, encodeState, idOf, outputsOf } from "./resource-state.ts";
import { withTimeout } from "./resource-timeouts.ts";

/** Resource after a change. */
export interface ChangedResource {
  /** Empty in a preview if it is not known. */
  readonly id: string;
  readonly outputs: PropertyMap;
  /** Reasons why the change is not complete; empty if it is. */
  readonly failures: readonly string[];
}

/** Settings of a change. */
export interface ChangeSettings {
  /** Whether the change is only planned. */
  readonly preview: boolean;
  /** Time limit in seconds; 0 for none. */
  readonly timeout: number;
}

/**
 * Creates a resource.
 *
 * @throws BridgeError `PROVIDER_FAILED` if nothing was created.
 */
export async function createResource(
  context: ResourceContext,
  inputs: PropertyMap,
  { preview, timeout }: ChangeSettings,
): Promise<ChangedResource> {
  const config = validConfigOf(context, withTimeout(context.resource.object, inputs, "create", timeout));
  const { planned, diagnostics } = await planChange(context.type, { ...context.options, config });
  if (planned === undefined || hasErrors(diagnostics)) throw refused(diagnostics);
  if (preview) return { id: "", outputs: outputsOf(context, planned.after, inputs), failures: [] };
  const outcome = await applyChange(context.type, planned, { ...context.options, config });
  return changed(context, outcome, inputs, undefined);
}

/**
 * Updates a resource in place.
 *
 * @throws BridgeError `PROVIDER_FAILED` if nothing was changed; `INVALID_REQUEST` if the change needs a replacement.
 */
export async function updateResource(
  context: ResourceContext,
  request: ChangeRequest & { readonly id: string },
  { preview, timeout }: ChangeSettings,
): Promise<ChangedResource> {
  const inputs = withTimeout(context.resource.object, request.inputs, "update", timeout);
  const { planned, prior, config } = await planUpdate(context, { ...request, inputs });
  const { id } = request;
  if (planned.action === "replace") {
    const reason = planned.reason === "tainted" ? "it was not created completely" : "the provider cannot change it in place";
    throw new BridgeError("INVALID_REQUEST", `${context.urn} must be replaced, because ${reason}: run the update again`);
  }
  if (preview) return { id, outputs: outputsOf(context, planned.after, request.inputs), failures: [] };
  if (planned.action === "noOp") return { id, outputs: encodeState(context, prior, request.inputs), failures: [] };
  const outcome = await applyChange(context.type, planned, { ...context.options, config });
  return { ...changed(context, outcome, request.inputs, prior), id };
}

/** Deletes a resource. @throws BridgeError `PROVIDER_FAILED` */
export async function deleteResource(context: ResourceContext, state: PropertyMap, timeout: number): Promise<void> {
  const prior = await decodePriorState(context, withTimeout(context.resource.object, state, "delete", timeout));
  const { planned, diagnostics } = await planDestroy(context.type, prior, context.options);
  showWarnings(context, diagnostics, context.urn);
  if (planned === undefined || hasErrors(diagnostics)) throw refused(diagnostics);
  const outcome = await applyChange(context.type, planned, context.options);
  showWarnings(context, outcome.diagnostics, context.urn);
  if (hasErrors(outcome.diagnostics)) throw refused(outcome.diagnostics);
}

/** Result of an apply. An object that exists after an error is returned with the reasons, so that the engine keeps it. */
function changed(
  context: ResourceContext,
  { object, diagnostics }: ApplyOutcome,
  inputs: PropertyMap,
  prior: ResourceObject | undefined,
): ChangedResource {
  showWarnings(context, diagnostics, context.urn);
  const failures = errorTexts(diagnostics);
  if (object === undefined || (failures.length > 0 && object === prior)) throw refused(diagnostics);
  return { id: idOf(context, object), outputs: encodeState(context, object, inputs), failures };
}

function refused(diagnostics: readonly Diagnostic[]): BridgeError {
  const texts = errorTexts(diagnostics);
  return new BridgeError("PROVIDER_FAILED", texts.length === 0 ? "the provider returned no object and no error" : texts.join("\n"));
}
