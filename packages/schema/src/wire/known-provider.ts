// SPDX-License-Identifier: Apache-2.0
import { hasErrors, type Diagnostic } from "../diagnostic.ts";
import { ProviderError } from "../error.ts";
import type { GetFunctionsResponse } from "../messages/function.ts";
import type { GetProviderSchemaResponse, GetResourceIdentitySchemasResponse } from "../messages/provider.ts";
import type { Needs } from "./kind/kind.ts";
import { Types, type KnownSchemas } from "./types.ts";

/** Requests for a provider's schemas and functions. */
export interface DescriptionRequests {
  schema(): Promise<GetProviderSchemaResponse>;
  identities(): Promise<GetResourceIdentitySchemasResponse>;
  functions(): Promise<GetFunctionsResponse>;
}

/** The provider's response with its schemas holds errors, so that no call with values can be made. */
export class SchemaUnavailable extends Error {
  override readonly name = "SchemaUnavailable";
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    const first = diagnostics.find(({ severity }) => severity === "error");
    super(`the provider failed to return its schemas: ${first?.summary ?? "no reason given"}${first?.detail ? `: ${first.detail}` : ""}`);
    this.diagnostics = diagnostics;
  }
}

/**
 * Schemas and functions of one provider. They are requested when a message first needs them, once for all calls. A failed request is
 * repeated.
 */
export class KnownProvider {
  readonly #requests: DescriptionRequests;
  readonly #schema: Once<GetProviderSchemaResponse>;
  readonly #identities: Once<GetResourceIdentitySchemasResponse>;
  readonly #functions: Once<GetFunctionsResponse>;
  #known: KnownSchemas | undefined;

  constructor(requests: DescriptionRequests) {
    this.#requests = requests;
    this.#schema = new Once(() => this.#requests.schema());
    this.#identities = new Once(() => this.#requests.identities());
    this.#functions = new Once(() => this.#requests.functions());
  }

  /** Returns the response of GetProviderSchema, also one with errors. */
  schema(): Promise<GetProviderSchemaResponse> {
    return this.#schema.get();
  }

  /** Returns the response of GetResourceIdentitySchemas, also one with errors. */
  identities(): Promise<GetResourceIdentitySchemasResponse> {
    return this.#identities.get();
  }

  /** Discards the functions: a provider may have other functions once it is configured. */
  configured(): void {
    this.#functions.forget();
    if (this.#known?.functions !== undefined) {
      const { schema, identities } = this.#known;
      this.#known = { schema, ...(identities ? { identities } : {}) };
    }
  }

  /** Returns the types for a call: a promise only if schemas or functions must be requested first.
   *
   * @throws SchemaUnavailable
   */
  types(needs: Needs | undefined, typeName: string): Types | Promise<Types> {
    const known = this.#known;
    if (needs === undefined || (known !== undefined && isEnough(known, needs, typeName))) return new Types(known, typeName);
    return this.#requestTypes(needs, typeName);
  }

  async #requestTypes(needs: Needs, typeName: string): Promise<Types> {
    // Both are requested at once. If the first fails, a failure of the second is ignored.
    const schemaRequest = this.schema();
    const identitiesRequest = needs === "identities" ? this.#identitiesIfAny() : undefined;
    identitiesRequest?.catch(() => {});
    const schema = await schemaRequest;
    if (hasErrors(schema.diagnostics)) throw new SchemaUnavailable(schema.diagnostics);
    this.#known = { ...this.#known, schema };
    if (identitiesRequest !== undefined) this.#known = { ...this.#known, schema, identities: await identitiesRequest };
    if (needs === "functions" && !isEnough(this.#known, needs, typeName)) {
      const functions = await this.#functionsIfAny();
      this.#known = { ...this.#known, schema, functions };
    }
    return new Types(this.#known, typeName);
  }

  async #identitiesIfAny(): Promise<GetResourceIdentitySchemasResponse["identitySchemas"]> {
    try {
      return (await this.identities()).identitySchemas;
    } catch (error) {
      if (isUnimplemented(error)) return new Map();
      throw error;
    }
  }

  async #functionsIfAny(): Promise<GetFunctionsResponse["functions"]> {
    try {
      return (await this.#functions.get()).functions;
    } catch (error) {
      if (isUnimplemented(error)) return new Map();
      throw error;
    }
  }
}

function isEnough(known: KnownSchemas, needs: Needs, typeName: string): boolean {
  if (needs === "identities") return known.identities !== undefined;
  return needs === "schemas" || known.functions !== undefined || known.schema.functions.has(typeName);
}

function isUnimplemented(error: unknown): boolean {
  return error instanceof ProviderError && error.code === "UNIMPLEMENTED";
}

/** Response that is requested once and kept, unless the request fails or the response has errors. */
class Once<Response extends { readonly diagnostics: readonly Diagnostic[] }> {
  readonly #request: () => Promise<Response>;
  #response: Promise<Response> | undefined;

  constructor(request: () => Promise<Response>) {
    this.#request = request;
  }

  get(): Promise<Response> {
    if (this.#response !== undefined) return this.#response;
    const response = this.#request();
    this.#response = response;
    void this.#discardFailure(response);
    return response;
  }

  forget(): void {
    this.#response = undefined;
  }

  async #discardFailure(response: Promise<Response>): Promise<void> {
    const keep = await response.then(
      ({ diagnostics }) => !hasErrors(diagnostics),
      () => false,
    );
    if (!keep && this.#response === response) this.#response = undefined;
  }
}
