// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic } from "@tenon/schema";
import type { CompiledStateStore } from "../schema/state-store.ts";
import { clientFor } from "./client-access.ts";
import type { ServedInstance } from "./served-instance.ts";
import type { ServerCall } from "./server-call.ts";

/** A state store that is open, with what its handlers are given. */
export interface StateStoreAccess {
  readonly stateStore: CompiledStateStore;
  readonly chunkSize: number;
  readonly context: object;
}

/** The open state store; undefined where diagnostics say why there is none. */
export function openStateStore(instance: ServedInstance, typeName: string, what: string, call: ServerCall): StateStoreAccess | undefined {
  const stateStore = instance.stateStore(typeName);
  const open = instance.stateStores.get(typeName);
  if (open === undefined) {
    call.diagnostics.push(
      errorDiagnostic(
        "State store not configured",
        `${typeName} cannot ${what}: it was asked before it was configured, or its configuration failed.`,
      ),
    );
    return undefined;
  }
  const access = clientFor(instance, call, `${what} in ${typeName}`);
  if (access.kind !== "ready") return undefined;
  const { signal, warn, log } = call;
  return { stateStore, chunkSize: open.chunkSize, context: { client: access.client, store: open.store, signal, warn, log } };
}
