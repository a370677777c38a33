// SPDX-License-Identifier: Apache-2.0
import type { EmptyRequest, GetResourceIdentitySchemasResponse } from "@tenon/schema";
import { rpc, type Rpc } from "./rpc.ts";

/** Identity schemas by resource type. Resources of this SDK have no identity yet, which every core takes. */
export const getResourceIdentitySchemas: Rpc<EmptyRequest, GetResourceIdentitySchemasResponse> = rpc({
  name: "GetResourceIdentitySchemas",
  run: () => ({ identitySchemas: new Map() }),
  failed: () => ({ identitySchemas: new Map() }),
});
