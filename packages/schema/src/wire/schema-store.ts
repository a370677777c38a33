// SPDX-License-Identifier: Apache-2.0
import { fromBinary, toBinary, type Message } from "@bufbuild/protobuf";
import { hasErrors } from "../diagnostic.ts";
import type { GetProviderSchemaResponse } from "../messages/provider.ts";
import type { Rpc } from "./rpc.ts";
import { noTypes } from "./types.ts";

/** Store for the encoded schemas of a provider, which outlives its processes. Neither method rejects. */
export interface SchemaStore {
  /** Returns the saved bytes; undefined if nothing is saved or the bytes are damaged. */
  load(): Promise<Uint8Array | undefined>;
  save(response: Uint8Array): Promise<void>;
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
