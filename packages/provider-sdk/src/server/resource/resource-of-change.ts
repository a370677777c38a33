// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { CompiledResource } from "../../compile/resource.ts";
import type { ServerCall } from "../call/server-call.ts";
import { requireConforming, type ServedInstance } from "../instance/served-instance.ts";

/**
 * Returns the resource of a planned or applied change. Checks that the values of the request have the type of its schema, and masks
 * their secrets from then on.
 *
 * @throws ProviderError `INVALID_REQUEST`.
 */
export function resourceOfChange(instance: ServedInstance, call: ServerCall, typeName: string, values: readonly Value[]): CompiledResource {
  const resource = instance.resource(typeName);
  const what = `a value of ${typeName}`;
  for (const value of values) {
    requireConforming(resource.shape, value, what);
    call.secrets.add(resource.shape, value);
  }
  return resource;
}
