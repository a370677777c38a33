// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse, UnlockStateRequest } from "@tenon/schema";
import { aboutStateStore, checkingRpc, type Rpc } from "./rpc.ts";
import { runHandler } from "./server-call.ts";
import { openStateStore } from "./state-store-call.ts";

/** Takes a lock away again. */
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
