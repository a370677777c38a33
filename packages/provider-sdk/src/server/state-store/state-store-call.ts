// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic } from "@tenon/schema";
import type { CompiledStateStore } from "../../compile/state-store.ts";
import { clientFor } from "../call/client-access.ts";
import type { ServedInstance } from "../instance/served-instance.ts";
import type { ServerCall } from "../call/server-call.ts";
import { handlerContext } from "../call/handler-context.ts";

/** An open state store, with the context of its handlers. */
export interface StateStoreAccess {
  readonly stateStore: CompiledStateStore;
  readonly chunkSize: number;
  readonly context: object;
}

/** Returns the open state store; undefined if it cannot be used, which diagnostics report. */
export function openStateStore(instance: ServedInstance, typeName: string, what: string, call: ServerCall): StateStoreAccess | undefined {
  const stateStore = instance.stateStore(typeName);
  const open = instance.stateStores.get(typeName);
  if (open === undefined) {
    call.diagnostics.push(
      errorDiagnostic("State store not configured", `${typeName} cannot ${what}: it is not configured yet, or its configuration failed.`),
    );
    return undefined;
  }
  const access = clientFor(instance, call, `${what} in ${typeName}`);
  if (access.kind !== "ready") return undefined;
  return { stateStore, chunkSize: open.chunkSize, context: handlerContext(call, { client: access.client, store: open.store }) };
}
