// SPDX-License-Identifier: Apache-2.0
import type { DeleteStateRequest, DiagnosticsResponse } from "@tenon/schema";
import { aboutStateStore, checkingRpc, type Rpc } from "../call/rpc.ts";
import { runHandler } from "../call/server-call.ts";
import { openStateStore } from "./state-store-call.ts";

/** Deletes a state. */
export const deleteState: Rpc<DeleteStateRequest, DiagnosticsResponse> = checkingRpc(
  "DeleteState",
  aboutStateStore,
  async (instance, { typeName, stateId }, call) => {
    const access = openStateStore(instance, typeName, `delete state ${JSON.stringify(stateId)}`, call);
    if (access === undefined) return;
    await runHandler(call, `Cannot delete state ${stateId}`, () => access.stateStore.delete({ ...access.context, stateId }));
  },
);
