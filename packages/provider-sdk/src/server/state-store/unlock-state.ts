// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse, UnlockStateRequest } from "@tenon/schema";
import { aboutStateStore, checkingRpc, type Rpc } from "../call/rpc.ts";
import { runHandler } from "../call/server-call.ts";
import { openStateStore } from "./state-store-call.ts";

/** Releases the lock of a state. */
export const unlockState: Rpc<UnlockStateRequest, DiagnosticsResponse> = checkingRpc(
  "UnlockState",
  aboutStateStore,
  async (instance, { typeName, stateId, lockId }, call) => {
    const access = openStateStore(instance, typeName, `unlock state ${JSON.stringify(stateId)}`, call);
    const unlock = access?.stateStore.unlock;
    if (access === undefined || unlock === undefined) return;
    await runHandler(call, `Cannot unlock state ${stateId}`, () => unlock({ ...access.context, stateId, lockId }));
  },
);
