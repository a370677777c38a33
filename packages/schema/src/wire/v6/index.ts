// SPDX-License-Identifier: Apache-2.0
/**
 * A provider over protocol 6: calling one that is reached over a transport, and serving one. Loads the messages of version 6 only.
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
import type { Provider } from "../../provider.ts";
import type { ProviderClientOptions } from "../client-calls.ts";
import { createClient } from "../client.ts";
import { sharedRpcs, type Protocol } from "../protocol.ts";
import { stateStoreRpcs } from "../rpc/state-store.ts";
import type { ProvidedBy } from "../served-provider.ts";
import { type SchemaAnswers, schemaAnswersOf } from "../schema-answers.ts";
import { createService } from "../service.ts";

export type { ProviderClientOptions } from "../client-calls.ts";
export type { SchemaStore } from "../schema-store.ts";
export type { SchemaAnswers } from "../schema-answers.ts";
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
      stateStores: true,
    }),
    ...stateStoreRpcs(ProviderService.method),
  },
};

/**
 * The provider behind a transport.
 *
 * It is asked for its schemas when the first message with a value in it needs them, once, and a schema is decoded when it is first
 * needed. The cores accept 64 MiB of schemas; here the carrier's limit holds.
 */
export function createProviderClient(transport: Transport, options: ProviderClientOptions): Provider {
  return createClient(protocol, transport, options);
}

/**
 * The service that a provider answers, for a carrier's server.
 *
 * Peers need not ask for the schemas first: the service asks the provider itself, once for each instance. A rejected call answers with
 * an error diagnostic where the response has room for one, and with a status otherwise.
 *
 * @param provider One instance for all calls, or the instance for a call: by its session, say.
 */
export function createProviderService(provider: ProvidedBy): ServiceRegistration {
  return createService(protocol, provider);
}

/**
 * The provider's answers about its schemas, encoded, to be given before the provider is loaded.
 *
 * @returns Undefined where it has diagnostics to tell with them.
 */
export function schemaAnswers(provider: Provider): Promise<SchemaAnswers | undefined> {
  return schemaAnswersOf(protocol, provider);
}
