// SPDX-License-Identifier: Apache-2.0
/**
 * A provider over protocol 5: calling one that is reached over a transport, and serving one. Loads the messages of version 5 only.
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
  type PrepareProviderConfig_Request,
  type PrepareProviderConfig_Response,
} from "@tenon/protocol/lean/tfplugin5";
import type { Provider } from "../../provider.ts";
import type { ProviderClientOptions } from "../client-calls.ts";
import { createClient } from "../client.ts";
import { sharedRpcs, type Protocol } from "../protocol.ts";
import type { ProvidedBy } from "../served-provider.ts";
import { type SchemaAnswers, schemaAnswersOf } from "../schema-answers.ts";
import { createService } from "../service.ts";
import { schemaFitsProtocol5 } from "../../model/protocol-5-fit.ts";

export type { ProviderClientOptions } from "../client-calls.ts";
export type { SchemaStore } from "../schema-store.ts";
export type { SchemaAnswers } from "../schema-answers.ts";
export type { ProvidedBy } from "../served-provider.ts";
export { schemaFitsProtocol5 } from "../../model/protocol-5-fit.ts";

const { method } = ProviderService;

const rpcs = sharedRpcs(
  {
    ...method,
    // What version 5 calls differently.
    getProviderSchema: method.getSchema,
    validateProviderConfig: method.prepareProviderConfig,
    validateResourceConfig: method.validateResourceTypeConfig,
    validateDataResourceConfig: method.validateDataSourceConfig,
    configureProvider: method.configure,
    stopProvider: method.stop,
  },
  {
    schema: SchemaSchema,
    function: FunctionSchema,
    action: ActionSchemaSchema,
    diagnostic: DiagnosticSchema,
    serverCapabilities: ServerCapabilitiesSchema,
    stateStores: false,
  },
);

const protocol: Protocol = {
  version: 5,
  service: ProviderService,
  rpcs: {
    ...rpcs,
    validateProviderConfig: {
      ...rpcs.validateProviderConfig,
      // The cores compare it with what they sent, and log where it differs; they never use it.
      complete(answer, request) {
        const { config } = request as PrepareProviderConfig_Request;
        if (config !== undefined) (answer as PrepareProviderConfig_Response).preparedConfig = config;
      },
    },
  },
  misfits: schemaFitsProtocol5,
};

/**
 * The provider behind a transport. It has no state stores: those calls reject with `UNIMPLEMENTED`.
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
 * A provider with a nested attribute in any schema cannot be served over protocol 5: GetSchema answers with an error for each such
 * attribute ({@link schemaFitsProtocol5}). Its state stores are not there. Otherwise as protocol 6's service.
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
