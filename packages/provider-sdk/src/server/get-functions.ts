// SPDX-License-Identifier: Apache-2.0
import type { EmptyRequest, GetFunctionsResponse } from "@tenon/schema";
import { rpc, type Rpc } from "./rpc.ts";

/** The provider's functions, which are the same before and after it is configured. */
export const getFunctions: Rpc<EmptyRequest, GetFunctionsResponse> = rpc({
  name: "GetFunctions",
  run: ({ registry }) => ({ functions: new Map([...registry.function].map(([name, one]) => [name, one.signature])) }),
  failed: () => ({ functions: new Map() }),
});
