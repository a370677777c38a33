// SPDX-License-Identifier: Apache-2.0
import type { EmptyRequest, GetResourceIdentitySchemasResponse } from "@tenon/schema";
import { rpc, type Rpc } from "../call/rpc.ts";

/** Returns the identity schemas by resource type, of the types that have an identity. */
export const getResourceIdentitySchemas: Rpc<EmptyRequest, GetResourceIdentitySchemasResponse> = rpc({
  name: "GetResourceIdentitySchemas",
  run: ({ registry }) => {
    const identifiable = [...registry.resource.values()].filter((resource) => resource.identity !== undefined);
    return { identitySchemas: new Map(identifiable.map(({ typeName, identity }) => [typeName, identity!.protocol])) };
  },
  failed: () => ({ identitySchemas: new Map() }),
});
