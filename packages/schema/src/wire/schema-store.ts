// SPDX-License-Identifier: Apache-2.0
import { fromBinary, toBinary, type Message } from "@bufbuild/protobuf";
import { hasErrors } from "../diagnostic.ts";
import type { GetProviderSchemaResponse, GetResourceIdentitySchemasResponse } from "../messages/provider.ts";
import type { Rpc } from "./rpc.ts";
import { noTypes } from "./types.ts";

/** Store for the encoded schemas of a provider, which outlives its processes. Neither method rejects. */
export interface SchemaStore {
  /** Returns the saved bytes; undefined if nothing is saved or the bytes are damaged. */
  load(): Promise<Uint8Array | undefined>;
  save(response: Uint8Array): Promise<void>;
}

/**
 * Schemas that several processes of one provider share in memory. Begin with an empty object. The first process is asked for them, and later ones
 * only if the provider does not allow their reuse.
 *
 * @see OpenTofu internal/plugin6/grpc_provider.go, GRPCProvider.GetProviderSchema, which shares schemas in its process by provider address
 */
export interface SharedSchemas {
  schema?: GetProviderSchemaResponse;
  identities?: GetResourceIdentitySchemasResponse;
}

/** Returns the shared response of GetProviderSchema, or that of the request. */
export async function sharedSchema(
  shared: SharedSchemas,
  request: () => Promise<GetProviderSchemaResponse>,
): Promise<GetProviderSchemaResponse> {
  if (shared.schema !== undefined) return shared.schema;
  const response = await request();
  if (isReusable(response)) shared.schema = response;
  return response;
}

/** Returns the shared response of GetResourceIdentitySchemas, or that of the request. It may be reused if the response of GetProviderSchema may. */
export async function sharedIdentities(
  shared: SharedSchemas,
  request: () => Promise<GetResourceIdentitySchemasResponse>,
): Promise<GetResourceIdentitySchemasResponse> {
  if (shared.schema !== undefined && shared.identities !== undefined) return shared.identities;
  const response = await request();
  if (!hasErrors(response.diagnostics)) shared.identities = response;
  return response;
}

type SchemaRpc = Pick<Rpc<never, GetProviderSchemaResponse>, "method" | "readResponse">;

/** Returns the stored schemas; undefined if they must be requested. */
export async function storedSchema(rpc: SchemaRpc, store: SchemaStore): Promise<GetProviderSchemaResponse | undefined> {
  const bytes = await store.load();
  if (bytes === undefined) return undefined;
  try {
    const schema = rpc.readResponse(fromBinary(rpc.method.output, bytes), noTypes);
    return isReusable(schema) ? schema : undefined;
  } catch {
    // Schemas that cannot be decoded are requested again, and replaced.
    return undefined;
  }
}

/** Stores a response, if the provider allows its reuse. */
export async function storeSchema(rpc: SchemaRpc, store: SchemaStore, response: Message, schema: GetProviderSchemaResponse): Promise<void> {
  if (isReusable(schema)) await store.save(toBinary(rpc.method.output, response));
}

/** Whether the schemas may be used without being requested in each process. @see GetProviderSchema.ServerCapabilities */
function isReusable({ diagnostics, serverCapabilities }: GetProviderSchemaResponse): boolean {
  return serverCapabilities.getProviderSchemaOptional && !hasErrors(diagnostics);
}
