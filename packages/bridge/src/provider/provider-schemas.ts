// SPDX-License-Identifier: Apache-2.0
import {
  type GetProviderSchemaResponse,
  type GetResourceIdentitySchemasResponse,
  hasErrors,
  type Provider,
  ProviderError,
} from "@tenon/schema";
import { BridgeError } from "../error.ts";

/** The schemas of a provider. */
export interface ProviderSchemas {
  readonly schemas: GetProviderSchemaResponse;
  /** Identity schemas by resource type; empty if the provider has none. */
  readonly identities: GetResourceIdentitySchemasResponse["identitySchemas"];
}

/**
 * Requests the schemas of a provider, which need not be configured.
 *
 * @param name - Name of the provider in an error.
 * @throws BridgeError `PROVIDER_FAILED` if the provider does not return its schemas.
 */
export async function providerSchemas(provider: Provider, name: string): Promise<ProviderSchemas> {
  const schemas = await provider.getProviderSchema({});
  if (hasErrors(schemas.diagnostics)) {
    const errors = schemas.diagnostics.filter(({ severity }) => severity === "error").map(({ summary }) => summary);
    throw new BridgeError("PROVIDER_FAILED", `the provider of ${name} did not return its schemas: ${errors.join("; ")}`);
  }
  return { schemas, identities: await identitySchemas(provider) };
}

async function identitySchemas(provider: Provider): Promise<GetResourceIdentitySchemasResponse["identitySchemas"]> {
  try {
    const response = await provider.getResourceIdentitySchemas({});
    return response.identitySchemas;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code !== "UNIMPLEMENTED") throw error;
    return new Map();
  }
}
