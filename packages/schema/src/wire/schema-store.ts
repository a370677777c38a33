// SPDX-License-Identifier: Apache-2.0
import { fromBinary, toBinary, type Message } from "@bufbuild/protobuf";
import { hasErrors } from "../diagnostic.ts";
import type { GetProviderSchemaResponse } from "../messages/provider.ts";
import type { Rpc } from "./rpc.ts";
import { noTypes } from "./types.ts";

/** Keeps what a provider says of itself, as bytes, from one process of it to the next. Neither method rejects. */
export interface SchemaStore {
  /** What was saved; undefined where there is nothing, or nothing that is whole. */
  load(): Promise<Uint8Array | undefined>;
  save(answer: Uint8Array): Promise<void>;
}

type SchemaRpc = Pick<Rpc<never, GetProviderSchemaResponse>, "method" | "readResponse">;

/** What was said the last time, if the provider need not be asked again; undefined where it has to be. */
export async function storedSchema(rpc: SchemaRpc, store: SchemaStore): Promise<GetProviderSchemaResponse | undefined> {
  const bytes = await store.load();
  if (bytes === undefined) return undefined;
  try {
    const schema = rpc.readResponse(fromBinary(rpc.method.output, bytes), noTypes);
    return isWorthKeeping(schema) ? schema : undefined;
  } catch {
    // What cannot be read is asked for anew, and replaced.
    return undefined;
  }
}

/** Keeps an answer, if that saves asking. */
export async function storeSchema(rpc: SchemaRpc, store: SchemaStore, answer: Message, schema: GetProviderSchemaResponse): Promise<void> {
  if (isWorthKeeping(schema)) await store.save(toBinary(rpc.method.output, answer));
}

/** A provider that must be asked for its schemas in each process gives them in each. @see GetProviderSchema.ServerCapabilities */
function isWorthKeeping({ diagnostics, serverCapabilities }: GetProviderSchemaResponse): boolean {
  return serverCapabilities.getProviderSchemaOptional && !hasErrors(diagnostics);
}
