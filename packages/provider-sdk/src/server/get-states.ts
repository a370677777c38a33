// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic, type GetStatesRequest, type GetStatesResponse } from "@tenon/schema";
import { aboutStateStore, rpc, type Rpc } from "./rpc.ts";
import { runHandler } from "./server-call.ts";
import { openStateStore } from "./state-store-call.ts";

/** The ids of all states in a store, sorted. */
export const getStates: Rpc<GetStatesRequest, GetStatesResponse> = rpc({
  name: "GetStates",
  about: aboutStateStore,
  run: async (instance, { typeName }, call) => {
    const access = openStateStore(instance, typeName, "list states", call);
    if (access === undefined) return { stateIds: [] };
    const listed = await runHandler(call, `Cannot list the states of ${typeName}`, () => access.stateStore.list(access.context));
    if (!listed.ok) return { stateIds: [] };
    if (Array.isArray(listed.value) && listed.value.every((id) => typeof id === "string"))
      return { stateIds: (listed.value as readonly string[]).toSorted() };
    call.diagnostics.push(
      errorDiagnostic("Invalid answer of the provider", `list of ${typeName} answers the ids of states. This is a bug in the provider.`),
    );
    return { stateIds: [] };
  },
  failed: () => ({ stateIds: [] }),
});
