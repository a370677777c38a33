// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic, type LockStateRequest, type LockStateResponse } from "@tenon/schema";
import { aboutStateStore, rpc, type Rpc } from "../call/rpc.ts";
import { runHandler } from "../call/server-call.ts";
import { openStateStore } from "./state-store-call.ts";

/** Locks a state; the lock id is empty if the store has no locks. */
export const lockState: Rpc<LockStateRequest, LockStateResponse> = rpc({
  name: "LockState",
  logFields: aboutStateStore,
  run: async (instance, { typeName, stateId, operation }, call) => {
    const access = openStateStore(instance, typeName, `lock state ${JSON.stringify(stateId)}`, call);
    const lock = access?.stateStore.lock;
    if (access === undefined || lock === undefined) return { lockId: "" };
    const locked = await runHandler(call, `Cannot lock state ${stateId}`, () => lock({ ...access.context, stateId, operation }));
    if (!locked.ok) return { lockId: "" };
    if (typeof locked.value === "string" && locked.value !== "") return { lockId: locked.value };
    call.diagnostics.push(
      errorDiagnostic(
        "Invalid result from the provider",
        `lock of ${typeName} must return the id of the lock. This is a bug in the provider.`,
      ),
    );
    return { lockId: "" };
  },
  failed: () => ({ lockId: "" }),
});
