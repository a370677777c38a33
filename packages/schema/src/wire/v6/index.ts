// SPDX-License-Identifier: Apache-2.0
/**
 * Calling and serving a provider over protocol 6. Loads the messages of version 6 only.
 *
 * @module
 */
import type { Transport } from "@connectrpc/connect";
import type { ServiceRegistration } from "@tenon/protocol/carrier";
import {
  ActionSchemaSchema,
  DiagnosticSchema,
  FunctionSchema,
  Provider as ProviderService,
  SchemaSchema,
  ServerCapabilitiesSchema,
} from "@tenon/protocol/lean/tfplugin6";
import type { Provider } from "../../provider/provider.ts";
import type { ProviderClientOptions } from "../client-calls.ts";
import { createClient } from "../client.ts";
import { sharedRpcs, type Protocol } from "../protocol.ts";
import { stateStoreRpcs } from "../rpc/state-store.ts";
import type { ProvidedBy } from "../served-provider.ts";
import { type EncodedSchemas, encodeSchemas } from "../encoded-schemas.ts";
import { createService } from "../service.ts";

export type { ProviderClientOptions } from "../client-calls.ts";
export type { SchemaStore, SharedSchemas } from "../schema-store.ts";
export type { EncodedSchemas } from "../encoded-schemas.ts";
export type { ProvidedBy } from "../served-provider.ts";

const protocol: Protocol = {
  version: 6,
  service: ProviderService,
  rpcs: {
    ...sharedRpcs(ProviderService.method, {
      schema: SchemaSchema,
      function: FunctionSchema,
      action: ActionSchemaSchema,
      diagnostic: DiagnosticSchema,
      serverCapabilities: ServerCapabilitiesSchema,
      version: 6,
    }),
    ...stateStoreRpcs(ProviderService.method),
  },
};

/**
 * Creates a provider that is reached over a transport.
 *
 * Its schemas are requested once, when the first message with a value needs them, and each is decoded when it is used. The size of the
 * response is limited by the carrier; the cores accept 64 MiB.
 */
export function createProviderClient(transport: Transport, options: ProviderClientOptions): Provider {
  return createClient(protocol, transport, options);
}

/**
 * Creates the service of a provider, for a carrier's server.
 *
 * Peers need not request the schemas first: the service requests them from the provider, once for each instance. A rejected call gets an
 * error diagnostic if the response has diagnostics, and a status otherwise.
 *
 * @param provider - One instance for all calls, or a function that returns the instance for a call, by its session for example.
 */
export function createProviderService(provider: ProvidedBy): ServiceRegistration {
  return createService(protocol, provider);
}

/**
 * Encodes a provider's schemas and identity schemas, so that they can be sent before the provider is loaded.
 *
 * @returns Undefined where a response has diagnostics, where this version cannot represent a schema, or where a response is too large.
 */
export function encodeProviderSchemas(provider: Provider): Promise<EncodedSchemas | undefined> {
  return encodeSchemas(protocol, provider);
}
