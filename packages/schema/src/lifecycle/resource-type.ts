// SPDX-License-Identifier: Apache-2.0
import { ProviderError } from "../error.ts";
import type { GetProviderSchemaResponse, GetResourceIdentitySchemasResponse } from "../messages/provider.ts";
import type { ServerCapabilities } from "../messages/common.ts";
import type { IdentitySchema } from "../model/identity-schema.ts";
import type { Schema } from "../model/schema.ts";
import type { CallOptions, Provider } from "../provider/provider.ts";

/** Type of a provider's component, with the provider, the schema and the capabilities that operations need. */
export interface ComponentType {
  readonly provider: Provider;
  /** Name of the provider in messages, such as `registry.terraform.io/hashicorp/time`. */
  readonly providerAddress: string;
  readonly typeName: string;
  readonly schema: Schema;
  readonly capabilities: ServerCapabilities;
}

/** Type of a managed resource. */
export interface ResourceType extends ComponentType {
  /** Absent where resources of the type have no identity. */
  readonly identitySchema?: IdentitySchema;
}

/** Options of looking up a type. */
export interface LookUpOptions extends CallOptions {
  /** Name of the provider in messages. Default: `provider`. */
  readonly providerAddress?: string;
}

/**
 * Looks up a managed resource type.
 *
 * @throws ProviderError `INVALID_REQUEST` where the provider has no such type; `INVALID_SCHEMA` where its response with the schemas holds
 * an error.
 */
export async function resourceType(provider: Provider, typeName: string, options: LookUpOptions = {}): Promise<ResourceType> {
  const component = await componentType(provider, "resources", "managed resource", typeName, options);
  const { identitySchemas } = await identitySchemasOf(provider, options);
  const identitySchema = identitySchemas.get(typeName);
  return identitySchema ? { ...component, identitySchema } : component;
}

/** Looks up a data source. @throws As {@link resourceType}. */
export function dataSourceType(provider: Provider, typeName: string, options: LookUpOptions = {}): Promise<ComponentType> {
  return componentType(provider, "dataSources", "data source", typeName, options);
}

/** Looks up an ephemeral resource type. @throws As {@link resourceType}. */
export function ephemeralResourceType(provider: Provider, typeName: string, options: LookUpOptions = {}): Promise<ComponentType> {
  return componentType(provider, "ephemeralResources", "ephemeral resource", typeName, options);
}

/** Looks up an action type. @throws As {@link resourceType}. */
export function actionType(provider: Provider, typeName: string, options: LookUpOptions = {}): Promise<ComponentType> {
  return componentType(provider, "actions", "action", typeName, options);
}

/** Looks up a state store type. @throws As {@link resourceType}. */
export function stateStoreType(provider: Provider, typeName: string, options: LookUpOptions = {}): Promise<ComponentType> {
  return componentType(provider, "stateStores", "state store", typeName, options);
}

type SchemaMap = "resources" | "dataSources" | "ephemeralResources" | "actions" | "stateStores";

async function componentType(
  provider: Provider,
  map: SchemaMap,
  what: string,
  typeName: string,
  options: LookUpOptions,
): Promise<ComponentType> {
  const { providerAddress = "provider" } = options;
  const response = await providerSchemaOf(provider, providerAddress, options);
  const schema = response[map].get(typeName);
  if (schema === undefined) throw new ProviderError("INVALID_REQUEST", `${providerAddress} has no ${what} ${JSON.stringify(typeName)}`);
  return { provider, providerAddress, typeName, schema, capabilities: response.serverCapabilities };
}

const providerSchemas = new WeakMap<Provider, GetProviderSchemaResponse>();
const identitySchemas = new WeakMap<Provider, GetResourceIdentitySchemasResponse>();

async function providerSchemaOf(provider: Provider, providerAddress: string, options: CallOptions): Promise<GetProviderSchemaResponse> {
  const known = providerSchemas.get(provider);
  if (known) return known;
  const response = await provider.getProviderSchema({}, callOptions(options));
  const error = response.diagnostics.find((diagnostic) => diagnostic.severity === "error");
  if (error) {
    throw new ProviderError(
      "INVALID_SCHEMA",
      `${providerAddress} failed to return its schemas: ${[error.summary, error.detail].filter(Boolean).join(": ")}`,
    );
  }
  providerSchemas.set(provider, response);
  return response;
}

/** Returns the identity schemas: an empty map for a provider that does not implement identities. */
async function identitySchemasOf(provider: Provider, options: CallOptions): Promise<GetResourceIdentitySchemasResponse> {
  const known = identitySchemas.get(provider);
  if (known) return known;
  let response: GetResourceIdentitySchemasResponse;
  try {
    response = await provider.getResourceIdentitySchemas({}, callOptions(options));
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code !== "UNIMPLEMENTED") throw error;
    response = { identitySchemas: new Map(), diagnostics: [] };
  }
  identitySchemas.set(provider, response);
  return response;
}

/** Returns the options of a call from those of an operation. */
export function callOptions({ signal }: CallOptions): CallOptions {
  return signal ? { signal } : {};
}
