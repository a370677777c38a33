// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { isUnknownPayload, mapChildPayloads, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { errorDiagnostic, type Diagnostic, type ApplyResourceChangeRequest, type ApplyResourceChangeResponse } from "@tenon/schema";
import { encodeEntry, objectValue } from "../../conversion/encode.ts";
import { isRecord, take } from "../../conversion/record.ts";
import type { ProviderMeta } from "../../definition/module-meta.ts";
import { keepExactNumbers } from "../../planning/exact-numbers.ts";
import { keepEquivalent } from "../../planning/equivalence.ts";
import { hasContent, partOf } from "../../shape/part.ts";
import type { OpenPrivateState } from "../../private-state/open-private-state.ts";
import type { CompiledResource } from "../../compile/resource.ts";
import { clientFor } from "../call/client-access.ts";
import { resourcePrivateState } from "../call/private-state.ts";
import { openIdentity, type OpenIdentity } from "./resource-identity.ts";
import { resourceOfChange } from "./resource-of-change.ts";
import { untilProcessEnds } from "../call/running-handlers.ts";
import { encodeResult, reporters, decodeView } from "../call/handler-values.ts";
import { aboutResource, rpc, type Bare, type Rpc } from "../call/rpc.ts";
import { providerMetaOf } from "../call/provider-meta.ts";
import { hasFailed, runHandler, type ServerCall } from "../call/server-call.ts";
import { handlerContext } from "../call/handler-context.ts";

type Request = ApplyResourceChangeRequest;
type Response = Bare<ApplyResourceChangeResponse>;

/**
 * Creates, updates or deletes a resource.
 *
 * If the handler fails after it has saved state, the response contains that state, so that the core records the object. The core taints
 * a resource whose creation failed.
 *
 * @see rules 25 to 29 in test/rules
 */
export const applyResourceChange: Rpc<Request, ApplyResourceChangeResponse> = rpc({
  name: "ApplyResourceChange",
  logFields: aboutResource,
  run: async (instance, request, call) => {
    const { typeName, config, priorState, plannedState } = request;
    const resource = resourceOfChange(instance, call, typeName, [config, priorState, plannedState]);
    const operation = hasContent(priorState) ? (hasContent(plannedState) ? "update" : "delete") : "create";
    const access = clientFor(instance, call, `${operation} ${typeName}`);
    if (access.kind !== "ready") return unapplied(request);
    const opened = resourcePrivateState(instance, typeName, request.plannedPrivate, call);
    const privateState = opened instanceof Promise ? await opened : opened;
    if (privateState === undefined) return unapplied(request);
    const identity = openIdentity(resource, request.plannedIdentity, call, { isWhole: true, mayChange: operation === "create" });
    const meta = providerMetaOf(instance, request.providerMeta, call);
    const applying = { resource, request, client: access.client, meta, privateState, identity, call };
    return operation === "delete" ? await deleteResource(applying) : await makeResource(applying, operation);
  },
  failed: unapplied,
});

interface Applying {
  readonly resource: CompiledResource;
  readonly request: Request;
  readonly client: unknown;
  readonly meta: ProviderMeta;
  readonly privateState: OpenPrivateState;
  readonly identity: OpenIdentity;
  readonly call: ServerCall;
}

/** The response when nothing was changed. */
function unapplied({ priorState, plannedPrivate, plannedIdentity }: Request): Response {
  return { newState: priorState, private: plannedPrivate, ...(plannedIdentity === undefined ? {} : { newIdentity: plannedIdentity }) };
}

async function deleteResource({ resource, request, client, meta, privateState, identity, call }: Applying): Promise<Response> {
  const { shape, typeName } = resource;
  const state = decodeView(shape, request.priorState, "recorded", "recorded state", call);
  if (state === undefined) return unapplied(request);
  const context = handlerContext(call, {
    warn: reporters(shape, call).warn,
    client,
    state,
    meta,
    identity: identity.context.identity,
    privateState,
  });
  await runHandler(call, `Cannot delete ${typeName}`, () => resource.delete(context));
  if (hasFailed(call)) return { ...unapplied(request), private: await privateState.bytes() };
  return { newState: valueOf(shape.type, null), private: new Uint8Array(0) };
}

async function makeResource(applying: Applying, operation: "create" | "update"): Promise<Response> {
  const { resource, request, client, meta, privateState, identity, call } = applying;
  const { shape, typeName } = resource;
  const handler = operation === "create" ? resource.create : resource.update;
  if (handler === undefined) {
    call.diagnostics.push(
      errorDiagnostic(`Cannot update ${typeName}`, "This resource has no update handler: a change replaces the resource. Plan again."),
    );
    return unapplied(request);
  }
  const config = decodeView(shape, request.config, "config", "configuration", call);
  const planned = decodeView(shape, request.plannedState, "planned", "plan", call);
  const state = operation === "update" ? decodeView(shape, request.priorState, "state", "recorded state", call) : null;
  if (config === undefined || planned === undefined || state === undefined) return unapplied(request);
  let saved: Value | undefined;
  const context = handlerContext(call, {
    client,
    meta,
    config,
    planned,
    privateState,
    setIdentity: identity.context.setIdentity,
    ...(operation === "update" ? { state, identity: identity.context.identity } : {}),
    result: (state: unknown) => state,
    saveState: (partial: unknown) => void (saved = savedState(resource, partial, saved ?? request.priorState, request.plannedState, call)),
    ...reporters(shape, call),
  });
  const outcome = await runHandler(call, `Cannot ${operation} ${typeName}`, () =>
    untilProcessEnds(
      () => handler(context),
      () => saved !== undefined,
    ),
  );
  // Without saved state, a failed update leaves the prior state, and a failed create leaves no resource.
  const kept = { ...unapplied(request), private: await privateState.bytes() };
  if (!outcome.ok) return { ...kept, newState: saved ?? request.priorState, ...(saved === undefined ? {} : identity.ofSavedState(saved)) };
  if (outcome.value === undefined || outcome.value === null) {
    // If the handler reported errors, they already explain the missing state.
    if (!hasFailed(call)) call.diagnostics.push(missingState(operation, typeName));
    return { ...kept, newState: saved ?? request.priorState, ...(saved === undefined ? {} : identity.ofSavedState(saved)) };
  }
  const newState = encodeResult(shape, outcome.value, "result", `${operation} of ${typeName}`, call, [
    request.plannedState,
    request.priorState,
  ]);
  // Even with an unreadable result the resource exists: the response carries the saved state, or the known part of the plan.
  if (!hasContent(newState)) return { ...kept, newState: saved ?? knownPart(request.plannedState) };
  if (hasFailed(call)) return { ...kept, newState, ...identity.ofSavedState(newState) };
  return {
    ...kept,
    newState: keepEquivalent(shape, request.plannedState, newState),
    ...identity.ofState(newState, `${operation} of ${typeName}`),
  };
}

/** @see rule 26 in test/rules */
function missingState(operation: string, typeName: string): Diagnostic {
  const detail = `${operation} of ${typeName} returned ${operation === "create" ? "nothing" : "nothing, so the recorded state stays"}: it must return the whole state. This is a bug in the provider.`;
  return errorDiagnostic("Missing resource state", detail);
}

/** The state that `saveState` records: attributes that it does not set keep their previous value, or are null. */
function savedState({ shape, typeName }: CompiledResource, partial: unknown, before: Value, planned: Value, call: ServerCall): Value {
  if (!isRecord(partial)) throw new TypeError(`saveState of ${typeName} takes an object of attributes`);
  return objectValue(
    shape,
    shape.entries.map((entry) => {
      const given = take(partial, entry.name);
      if (given === undefined && hasContent(before)) return partOf(before, entry);
      const { value, problems } = encodeEntry(entry, given ?? null, "partial");
      for (const { path, what } of problems) {
        call.diagnostics.push(
          errorDiagnostic(
            "Invalid result from the provider",
            `saveState of ${typeName}: ${entry.name} ${what}. This is a bug in the provider.`,
            path,
          ),
        );
      }
      return keepExactNumbers(entry.shape, [partOf(planned, entry), partOf(before, entry)], value);
    }),
  );
}

/** The value, with null in place of unknown values. */
function knownPart({ type, payload }: Value): Value {
  const known = (part: Payload): Payload => (isUnknownPayload(part) ? null : mapChildPayloads(part, known));
  return valueOf(type, known(payload));
}
