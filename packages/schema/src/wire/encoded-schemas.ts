// SPDX-License-Identifier: Apache-2.0
import { type DescMethod, toBinary } from "@bufbuild/protobuf";
import type { Provider } from "../provider/provider.ts";
import type { Protocol } from "./protocol.ts";
import { schemaLimit } from "./served-provider.ts";
import { noTypes } from "./types.ts";

/**
 * Encoded responses to GetProviderSchema and GetResourceIdentitySchemas, which the cores call first. The key is the method's name in a
 * generated client.
 */
export type EncodedSchemas = Readonly<Record<string, Uint8Array>>;

/**
 * Encodes a provider's schemas and identity schemas, as the service of this protocol version sends them.
 *
 * @returns Undefined where a response has diagnostics, which may differ the next time, where this version cannot represent a schema, or
 *   where a response is too large.
 */
export async function encodeSchemas({ rpcs, schemaErrors }: Protocol, provider: Provider): Promise<EncodedSchemas | undefined> {
  const [schema, identities] = await Promise.all([provider.getProviderSchema({}), provider.getResourceIdentitySchemas({})]);
  if (schema.diagnostics.length > 0 || identities.diagnostics.length > 0 || (schemaErrors?.(schema) ?? []).length > 0) return undefined;
  const responses = [
    [rpcs.getProviderSchema.method, rpcs.getProviderSchema.writeResponse(schema, noTypes)],
    [rpcs.getResourceIdentitySchemas.method, rpcs.getResourceIdentitySchemas.writeResponse(identities, noTypes)],
  ] as const;
  const encoded = responses.map(([method, response]) => [(method as DescMethod).localName, toBinary(method.output, response)] as const);
  return encoded.some(([, { length }]) => length > schemaLimit) ? undefined : Object.fromEntries(encoded);
}
