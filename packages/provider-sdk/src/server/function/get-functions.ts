// SPDX-License-Identifier: Apache-2.0
import type { EmptyRequest, GetFunctionsResponse } from "@tenon/schema";
import { rpc, type Rpc } from "../call/rpc.ts";

/**
 * Returns the provider's functions. Functions that use the client are included after the provider is configured: OpenTofu then calls this
 * RPC again.
 */
export const getFunctions: Rpc<EmptyRequest, GetFunctionsResponse> = rpc({
  name: "GetFunctions",
  run: ({ registry, configuration }) => {
    const available = [...registry.function].filter(([, one]) => !one.needsClient || configuration.kind === "configured");
    return { functions: new Map(available.map(([name, one]) => [name, one.signature])) };
  },
  failed: () => ({ functions: new Map() }),
});
