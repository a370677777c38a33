// SPDX-License-Identifier: Apache-2.0
import { string } from "@tenon/cty";
import { createLockInfo } from "../stores/lock-info.ts";
import { memoryState } from "../stores/memory-store.ts";
import { defaultWorkspace } from "../stores/state-store.ts";
import { schemaOf, withDefaults, type ArgumentTable } from "./argument-table.ts";
import { textAttribute, type BackendType } from "./backend.ts";

const table: ArgumentTable = { lock_id: { type: string, description: "initializes the state in a locked configuration" } };

/** The memory of this process. @see OpenTofu internal/backend/remote-state/inmem */
export const inmemBackend: BackendType = {
  schema: (environment) => schemaOf(table, environment),
  prepare: (config, environment) => withDefaults(config, table, environment),
  open: (config, { memory = memoryState() }) => {
    const id = textAttribute(config, "lock_id");
    // The store may still have this lock from an earlier run.
    if (id)
      void memory
        .workspace(defaultWorkspace)
        .lock({ ...createLockInfo("test", "test config"), ID: id })
        .catch(() => undefined);
    return memory;
  },
};
