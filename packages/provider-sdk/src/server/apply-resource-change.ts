// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { isUnknownPayload, mapChildPayloads, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { errorDiagnostic, type ApplyResourceChangeRequest, type ApplyResourceChangeResponse } from "@tenon/schema";
import { encodeEntry, objectValue } from "../conversion/encode.ts";
import { isRecord, take } from "../conversion/record.ts";
import type { SaidMeta } from "../definition/module-meta.ts";
import { keepEquivalent } from "../planning/equivalence.ts";
import { hasContent, partOf } from "../planning/part.ts";
import type { OpenPrivateState } from "../private-state/open-private-state.ts";
import type { CompiledResource } from "../schema/resource.ts";
import { clientFor } from "./client-access.ts";
import { resourcePrivateState } from "./private-state.ts";
import { openIdentity, type OpenIdentity } from "./resource-identity.ts";
import { orEnded } from "./last-answer.ts";
import { answered, reporter, shown } from "./resource-context.ts";
import { aboutResource, rpc, type Bare, type Rpc } from "./rpc.ts";
import { saidMeta } from "./said-meta.ts";
import { requireConforming } from "./served-instance.ts";
import { hasFailed, runHandler, type ServerCall } from "./server-call.ts";

type Request = ApplyResourceChangeRequest;
type Answer = Bare<ApplyResourceChangeResponse>;

/**
 * Creates, updates or deletes.
 *
 * What exists is always answered, also where the handler failed half-way: the core then keeps it, and taints what was being
 * created.
 *
 * @see framework rules 25 to 29
 */
export const applyResourceChange: Rpc<Request, ApplyResourceChangeResponse> = rpc({
  name: "ApplyResourceChange",
  about: aboutResource,
  run: async (instance, request, call) => {
    const resource = instance.resource(request.typeName);
    const { shape, typeName } = resource;
    for (const value of [request.config, request.priorState, request.plannedState]) {
      requireConforming(shape, value, `a value of ${typeName}`);
      call.secrets.add(shape, value);
    }
    const operation = hasContent(request.priorState) ? (hasContent(request.plannedState) ? "update" : "delete") : "create";
    const access = clientFor(instance, call, `${operation} ${typeName}`);
    if (access.kind !== "ready") return unapplied(request);
    const privateState = await resourcePrivateState(instance, typeName, request.plannedPrivate, call);
    if (privateState === undefined) return unapplied(request);
    const identity = openIdentity(resource, request.plannedIdentity, call, true);
    const meta = saidMeta(instance, request.providerMeta, call);
    const applying = { resource, request, client: access.client, meta, privateState, identity, call };
    return operation === "delete" ? deleteResource(applying) : makeResource(applying, operation);
  },
  failed: unapplied,
});

interface Applying {
  readonly resource: CompiledResource;
  readonly request: Request;
  readonly client: unknown;
  readonly meta: SaidMeta;
  readonly privateState: OpenPrivateState;
  readonly identity: OpenIdentity;
  readonly call: ServerCall;
}

/** What is answered where nothing was done. */
function unapplied({ priorState, plannedPrivate, plannedIdentity }: Request): Answer {
  return { newState: priorState, private: plannedPrivate, ...(plannedIdentity === undefined ? {} : { newIdentity: plannedIdentity }) };
}

async function deleteResource({ resource, request, client, meta, privateState, identity, call }: Applying): Promise<Answer> {
  const { shape, typeName } = resource;
  const state = shown(shape, request.priorState, "recorded", "recorded state", call);
  if (state === undefined) return unapplied(request);
  const { warn, log } = call;
  const context = {
    client,
    state,
    meta,
    identity: identity.context.identity,
    get signal() {
      return call.signal;
    },
    warn,
    log,
    privateState,
  };
  await runHandler(call, `Cannot delete ${typeName}`, () => resource.delete(context));
  if (hasFailed(call)) return { ...unapplied(request), private: await privateState.bytes() };
  return { newState: valueOf(shape.type, null), private: new Uint8Array(0) };
}

async function makeResource(applying: Applying, operation: "create" | "update"): Promise<Answer> {
  const { resource, request, client, meta, privateState, identity, call } = applying;
  const { shape, typeName } = resource;
  const handler = operation === "create" ? resource.create : resource.update;
  if (handler === undefined) {
    call.diagnostics.push(errorDiagnostic(`Cannot update ${typeName}`, "It has no update: a change of it replaces it. Plan again."));
    return unapplied(request);
  }
  const config = shown(shape, request.config, "config", "configuration", call);
  const planned = shown(shape, request.plannedState, "planned", "plan", call);
  const state = operation === "update" ? shown(shape, request.priorState, "state", "recorded state", call) : null;
  if (config === undefined || planned === undefined || state === undefined) return unapplied(request);
  let saved: Value | undefined;
  const { warn, log } = call;
  const context = {
    client,
    meta,
    config,
    planned,
    get signal() {
      return call.signal;
    },
    warn,
    log,
    privateState,
    setIdentity: identity.context.setIdentity,
    ...(operation === "update" ? { state, identity: identity.context.identity } : {}),
    answer: (answer: unknown) => answer,
    saveState: (partial: unknown) => void (saved = savedState(resource, partial, saved ?? request.priorState, call)),
    error: reporter(shape, call),
  };
  const outcome = await runHandler(call, `Cannot ${operation} ${typeName}`, () =>
    orEnded(
      () => handler(context),
      () => saved !== undefined,
    ),
  );
  // What a failed update did not save is as it was before; what a failed create did not save is not there.
  const kept = { ...unapplied(request), private: await privateState.bytes() };
  if (!outcome.ok) return { ...kept, newState: saved ?? request.priorState, ...(saved === undefined ? {} : identity.left(saved)) };
  const newState = answered(shape, outcome.value, "answer", `${operation} of ${typeName}`, call);
  // An answer that cannot be read at all still means that something was made: what was saved of it, or what was planned.
  if (!hasContent(newState)) return { ...kept, newState: saved ?? knownPart(request.plannedState) };
  if (hasFailed(call)) return { ...kept, newState, ...identity.left(newState) };
  return {
    ...kept,
    newState: keepEquivalent(shape, request.plannedState, newState),
    ...identity.of(newState, `${operation} of ${typeName}`),
  };
}

/** What `saveState` keeps, over what was there before: null where an attribute is neither given nor was. */
function savedState({ shape, typeName }: CompiledResource, partial: unknown, before: Value, call: ServerCall): Value {
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
            "Invalid answer of the provider",
            `saveState of ${typeName}: ${entry.name} ${what}. This is a bug in the provider.`,
            path,
          ),
        );
      }
      return value;
    }),
  );
}

/** The value with null for what is not known. */
function knownPart({ type, payload }: Value): Value {
  const known = (part: Payload): Payload => (isUnknownPayload(part) ? null : mapChildPayloads(part, known));
  return valueOf(type, known(payload));
}
