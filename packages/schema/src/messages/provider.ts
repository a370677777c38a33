// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "../diagnostic.ts";
import type { FunctionSignature } from "../model/function-signature.ts";
import type { IdentitySchema } from "../model/identity-schema.ts";
import type { Schema } from "../model/schema.ts";
import type { ClientCapabilities, ServerCapabilities } from "./common.ts";

/** The names of what a provider offers, without schemas. Neither core asks for it; multiplexers do. */
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
 * Everything a provider offers. The maps may be lazy: a schema that came over the wire is decoded when it is asked for, so
 * prefer `get` to walking `values()`.
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

/** Identity schemas by resource type; a type without identity is not in it. */
export interface GetResourceIdentitySchemasResponse {
  readonly identitySchemas: ReadonlyMap<string, IdentitySchema>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Both protocol versions; protocol 5's `prepared_config` is not carried, as both cores ignore it. */
export interface ValidateProviderConfigRequest {
  readonly config: Value;
}

export interface ConfigureProviderRequest {
  /** The core's version, as it says it. */
  readonly terraformVersion: string;
  /** May hold unknown values while planning. */
  readonly config: Value;
  readonly clientCapabilities?: ClientCapabilities;
}

export interface StopResponse {
  /** Why it could not be asked to stop; empty where it was. */
  readonly error: string;
}
