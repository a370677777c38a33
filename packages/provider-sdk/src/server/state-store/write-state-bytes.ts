// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic, receiveState, type DiagnosticsResponse, type WriteStateBytesRequest } from "@tenon/schema";
import { aboutStateStore, checkingRpc, type Rpc } from "../call/rpc.ts";
import { runHandler } from "../call/server-call.ts";
import { openStateStore } from "./state-store-call.ts";

/** Writes a state after all its chunks have arrived. */
export const writeStateBytes: Rpc<WriteStateBytesRequest, DiagnosticsResponse> = checkingRpc(
  "WriteStateBytes",
  aboutStateStore,
  async (instance, { typeName, stateId, chunks }, call) => {
    const access = openStateStore(instance, typeName, `write state ${JSON.stringify(stateId)}`, call);
    if (access === undefined) return;
    const received = await receiveState(chunks, access.chunkSize);
    if ("fault" in received) {
      call.diagnostics.push(errorDiagnostic(`Cannot write state ${stateId}`, `It did not arrive completely: ${received.fault}.`));
      return;
    }
    const { stateStore, context } = access;
    await runHandler(call, `Cannot write state ${stateId}`, () => stateStore.write({ ...context, stateId, state: received.state }));
  },
);
