// SPDX-License-Identifier: Apache-2.0
import type { EmptyRequest, GetFunctionsResponse } from "@tenon/schema";
import { rpc, type Rpc } from "./rpc.ts";

/** The provider's functions; those that see its client are there once it is configured. OpenTofu asks for them then. */
export const getFunctions: Rpc<EmptyRequest, GetFunctionsResponse> = rpc({
  name: "GetFunctions",
  run: ({ registry, configuration }) => {
    const there = [...registry.function].filter(([, one]) => !one.needsClient || configuration.kind === "configured");
    return { functions: new Map(there.map(([name, one]) => [name, one.signature])) };
  },
  failed: () => ({ functions: new Map() }),
});
