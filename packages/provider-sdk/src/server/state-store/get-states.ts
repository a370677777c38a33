// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic, type GetStatesRequest, type GetStatesResponse } from "@tenon/schema";
import { aboutStateStore, rpc, type Rpc } from "../call/rpc.ts";
import { runHandler } from "../call/server-call.ts";
import { openStateStore } from "./state-store-call.ts";

/** Returns the ids of all states in a store, sorted. */
export const getStates: Rpc<GetStatesRequest, GetStatesResponse> = rpc({
  name: "GetStates",
  logFields: aboutStateStore,
  run: async (instance, { typeName }, call) => {
    const access = openStateStore(instance, typeName, "list states", call);
    if (access === undefined) return { stateIds: [] };
    const listed = await runHandler(call, `Cannot list the states of ${typeName}`, () => access.stateStore.list(access.context));
    if (!listed.ok) return { stateIds: [] };
    if (Array.isArray(listed.value) && listed.value.every((id) => typeof id === "string"))
      return { stateIds: (listed.value as readonly string[]).toSorted() };
    call.diagnostics.push(
      errorDiagnostic(
        "Invalid result from the provider",
        `list of ${typeName} must return an array of state ids. This is a bug in the provider.`,
      ),
    );
    return { stateIds: [] };
  },
  failed: () => ({ stateIds: [] }),
});
