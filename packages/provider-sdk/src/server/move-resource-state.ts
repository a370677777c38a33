// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic, type MoveResourceStateRequest, type MoveResourceStateResponse } from "@tenon/schema";
import { plainJson } from "../conversion/recorded-json.ts";
import { isRecord } from "../conversion/record.ts";
import { resourcePrivateState } from "./private-state.ts";
import { openIdentity } from "./resource-identity.ts";
import { answered } from "./resource-context.ts";
import { rpc, type Bare, type Rpc } from "./rpc.ts";
import { hasFailed, runHandler } from "./server-call.ts";
import { readRawState } from "./upgrade-resource-state.ts";

const nothing: Bare<MoveResourceStateResponse> = { targetPrivate: new Uint8Array(0) };

/** State of another resource type as state of this one. @see framework rule 33 */
export const moveResourceState: Rpc<MoveResourceStateRequest, MoveResourceStateResponse> = rpc({
  name: "MoveResourceState",
  about: ({ targetTypeName }) => ({ tf_resource_type: targetTypeName }),
  run: async (instance, request, call) => {
    const resource = instance.resource(request.targetTypeName);
    const { moveState, shape, typeName } = resource;
    const { sourceProviderAddress, sourceTypeName, sourceSchemaVersion } = request;
    const refuse = (why: string): typeof nothing => {
      call.diagnostics.push(errorDiagnostic(`Cannot move state to ${typeName}`, why));
      return nothing;
    };
    const source = `${sourceTypeName} of ${sourceProviderAddress}, version ${sourceSchemaVersion}`;
    if (moveState === undefined) return refuse(`This resource takes over state of no other type; it was asked for ${source}.`);
    const recorded = readRawState(request.sourceState, sourceTypeName, call);
    if (hasFailed(call)) return nothing;
    const sourceState = recorded === undefined ? undefined : plainJson(recorded.json);
    if (!isRecord(sourceState)) return refuse(`There is no state of ${source}.`);
    const { signal, warn, log } = call;
    const storedIdentity = request.sourceIdentity && readRawState(request.sourceIdentity, sourceTypeName, call);
    if (hasFailed(call)) return nothing;
    const privateState = (await resourcePrivateState(instance, typeName, nothing.targetPrivate, call))!;
    const identity = openIdentity(resource, undefined, call);
    const context = {
      sourceProviderAddress,
      sourceTypeName,
      sourceSchemaVersion,
      sourceState,
      sourceIdentity: storedIdentity === undefined ? null : plainJson(storedIdentity.json),
      sourcePrivate: request.sourcePrivate,
      privateState,
      setIdentity: identity.context.setIdentity,
      signal,
      warn,
      log,
    };
    const outcome = await runHandler(call, `Cannot move state to ${typeName}`, () => moveState(context));
    if (!outcome.ok) return nothing;
    if (outcome.value === undefined || outcome.value === null) return refuse(`This resource does not take over state of ${source}.`);
    const targetState = answered(shape, outcome.value, "answer", `moveState of ${typeName}`, call);
    if (hasFailed(call)) return nothing;
    const { newIdentity } = identity.of(targetState, `moveState of ${typeName}`);
    const targetPrivate = await privateState.bytes();
    if (hasFailed(call)) return nothing;
    return { targetPrivate, targetState, ...(newIdentity === undefined ? {} : { targetIdentity: newIdentity }) };
  },
  failed: () => nothing,
});
