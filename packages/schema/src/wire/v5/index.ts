// SPDX-License-Identifier: Apache-2.0
/**
 * Calling and serving a provider over protocol 5. Loads the messages of version 5 only.
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
import type { Provider } from "../../provider/provider.ts";
import type { ProviderClientOptions } from "../client-calls.ts";
import { createClient } from "../client.ts";
import { sharedRpcs, type Protocol } from "../protocol.ts";
import type { ProvidedBy } from "../served-provider.ts";
import { type EncodedSchemas, encodeSchemas } from "../encoded-schemas.ts";
import { createService } from "../service.ts";
import { protocol5SchemaErrors } from "../../provider/protocol-5-fit.ts";

export type { ProviderClientOptions } from "../client-calls.ts";
export type { SchemaStore, SharedSchemas } from "../schema-store.ts";
export type { EncodedSchemas } from "../encoded-schemas.ts";
export type { ProvidedBy } from "../served-provider.ts";
export { protocol5SchemaErrors } from "../../provider/protocol-5-fit.ts";

const { method } = ProviderService;

const rpcs = sharedRpcs(
  {
    ...method,
    // Methods that have another name in version 5.
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
    version: 5,
  },
);

const protocol: Protocol = {
  version: 5,
  service: ProviderService,
  rpcs: {
    ...rpcs,
    validateProviderConfig: {
      ...rpcs.validateProviderConfig,
      // The cores compare the response's configuration with the one that they sent, and log a difference; they do not use it.
      complete(response, request) {
        const { config } = request as PrepareProviderConfig_Request;
        if (config !== undefined) (response as PrepareProviderConfig_Response).preparedConfig = config;
      },
    },
  },
  schemaErrors: protocol5SchemaErrors,
};

/**
 * Creates a provider that is reached over a transport. It has no state stores: those calls reject with `UNIMPLEMENTED`.
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
 * A provider with a nested attribute in a schema cannot be served over protocol 5: GetSchema returns an error for each such attribute
 * ({@link protocol5SchemaErrors}). State stores are left out. The rest is as in protocol 6.
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
