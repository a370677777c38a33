// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic, type MoveResourceStateRequest, type MoveResourceStateResponse } from "@tenon/schema";
import { plainJson } from "../../conversion/recorded-json.ts";
import { isRecord } from "../../conversion/record.ts";
import { resourcePrivateState } from "../call/private-state.ts";
import { openIdentity } from "./resource-identity.ts";
import { encodeResult } from "../call/handler-values.ts";
import { rpc, type Bare, type Rpc } from "../call/rpc.ts";
import { hasFailed, runHandler } from "../call/server-call.ts";
import { readRawState } from "./upgrade-resource-state.ts";
import { handlerContext } from "../call/handler-context.ts";

const noMove: Bare<MoveResourceStateResponse> = { targetPrivate: new Uint8Array(0) };

/** Converts state of another resource type into state of this one. @see rule 33 in test/rules */
export const moveResourceState: Rpc<MoveResourceStateRequest, MoveResourceStateResponse> = rpc({
  name: "MoveResourceState",
  logFields: ({ targetTypeName }) => ({ tf_resource_type: targetTypeName }),
  run: async (instance, request, call) => {
    const resource = instance.resource(request.targetTypeName);
    const { moveState, shape, typeName } = resource;
    const { sourceProviderAddress, sourceTypeName, sourceSchemaVersion } = request;
    const refuse = (why: string): typeof noMove => {
      call.diagnostics.push(errorDiagnostic(`Cannot move state to ${typeName}`, why));
      return noMove;
    };
    const source = `${sourceTypeName} of ${sourceProviderAddress}, version ${sourceSchemaVersion}`;
    if (moveState === undefined)
      return refuse(`This resource does not support moves from other types, here ${source}: its provider has no moveState for it.`);
    const recorded = readRawState(request.sourceState, sourceTypeName, call);
    if (hasFailed(call)) return noMove;
    const sourceState = recorded === undefined ? undefined : plainJson(recorded.json);
    if (!isRecord(sourceState)) return refuse(`The request has no state of ${source}.`);
    const storedIdentity = request.sourceIdentity && readRawState(request.sourceIdentity, sourceTypeName, call);
    if (hasFailed(call)) return noMove;
    const privateState = (await resourcePrivateState(instance, typeName, noMove.targetPrivate, call))!;
    const identity = openIdentity(resource, undefined, call);
    const context = handlerContext(call, {
      sourceProviderAddress,
      sourceTypeName,
      sourceSchemaVersion,
      sourceState,
      sourceIdentity: storedIdentity === undefined ? null : plainJson(storedIdentity.json),
      sourcePrivate: request.sourcePrivate,
      privateState,
      setIdentity: identity.context.setIdentity,
    });
    const outcome = await runHandler(call, `Cannot move state to ${typeName}`, () => moveState(context));
    if (!outcome.ok) return noMove;
    if (outcome.value === undefined || outcome.value === null) return refuse(`This resource does not support a move from ${source}.`);
    const targetState = encodeResult(shape, outcome.value, "result", `moveState of ${typeName}`, call);
    if (hasFailed(call)) return noMove;
    const { newIdentity } = identity.ofState(targetState, `moveState of ${typeName}`);
    const targetPrivate = await privateState.bytes();
    if (hasFailed(call)) return noMove;
    return { targetPrivate, targetState, ...(newIdentity === undefined ? {} : { targetIdentity: newIdentity }) };
  },
  failed: () => noMove,
});
