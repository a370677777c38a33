// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "../diagnostic.ts";
import type { FunctionSignature } from "../model/function-signature.ts";
import type { IdentitySchema } from "../model/identity-schema.ts";
import type { Schema } from "../model/schema.ts";
import type { ClientCapabilities, ServerCapabilities } from "./common.ts";

/** Response of GetMetadata: the names of everything a provider offers, without schemas. The cores do not call it; multiplexers do. */
export interface GetMetadataResponse {
  readonly serverCapabilities: ServerCapabilities;
  readonly diagnostics: readonly Diagnostic[];
  readonly resources: readonly string[];
  readonly dataSources: readonly string[];
  readonly functions: readonly string[];
  readonly ephemeralResources: readonly string[];
  readonly listResources: readonly string[];
  readonly stateStores: readonly string[];
  readonly actions: readonly string[];
}

/**
 * Response of GetProviderSchema: everything a provider offers. The maps may be lazy: a schema from the wire is decoded by `get`, so
 * prefer `get` to iterating over `values()`.
 */
export interface GetProviderSchemaResponse {
  /** Absent where the provider takes no configuration. */
  readonly provider?: Schema;
  /** Schema of the module-level `provider_meta` block, where the provider has one. */
  readonly providerMeta?: Schema;
  readonly resources: ReadonlyMap<string, Schema>;
  readonly dataSources: ReadonlyMap<string, Schema>;
  readonly functions: ReadonlyMap<string, FunctionSignature>;
  readonly ephemeralResources: ReadonlyMap<string, Schema>;
  readonly listResources: ReadonlyMap<string, Schema>;
  readonly stateStores: ReadonlyMap<string, Schema>;
  readonly actions: ReadonlyMap<string, Schema>;
  readonly serverCapabilities: ServerCapabilities;
  readonly diagnostics: readonly Diagnostic[];
}

/** Response of GetResourceIdentitySchemas: identity schemas by resource type, of the types that have one. */
export interface GetResourceIdentitySchemasResponse {
  readonly identitySchemas: ReadonlyMap<string, IdentitySchema>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Request of ValidateProviderConfig. Protocol 5 also has a `prepared_config` in the response, which the cores ignore. */
export interface ValidateProviderConfigRequest {
  readonly config: Value;
}

/** Request of ConfigureProvider. */
export interface ConfigureProviderRequest {
  /** Version of the core that runs the provider. */
  readonly terraformVersion: string;
  /** May hold unknown values during a plan. */
  readonly config: Value;
  readonly clientCapabilities?: ClientCapabilities;
}

/** Response of StopProvider. */
export interface StopResponse {
  /** Reason for which the provider could not stop its work; empty where it could. */
  readonly error: string;
}
