// SPDX-License-Identifier: Apache-2.0
import { type FunctionSignature, type GetProviderSchemaResponse, type Provider, ProviderError } from "@tenon/schema";
import { settle, type WarningListener } from "./diagnostics.ts";

/**
 * The functions of a configured provider: those of its schema, and those that only the configured provider has. The latter are requested
 * (GetFunctions) only when a function is looked up that the schema lacks, because some providers fail that call.
 */
export class ProviderFunctions {
  readonly #provider: Provider;
  readonly #ofSchema: GetProviderSchemaResponse["functions"];
  readonly #name: string;
  readonly #onWarning: WarningListener | undefined;
  #all: Promise<ReadonlyMap<string, FunctionSignature>> | undefined;

  constructor(provider: Provider, schema: GetProviderSchemaResponse, name: string, onWarning: WarningListener | undefined) {
    this.#provider = provider;
    this.#ofSchema = schema.functions;
    this.#name = name;
    this.#onWarning = onWarning;
  }

  /** The signature of a function; undefined if the provider has no function of that name. @throws PluginHostError `DIAGNOSTICS` */
  async signature(name: string): Promise<FunctionSignature | undefined> {
    return this.#ofSchema.get(name) ?? (await this.all()).get(name);
  }

  /** All functions by name. Requested once; after a failure the next call requests them again. @throws PluginHostError `DIAGNOSTICS` */
  async all(): Promise<ReadonlyMap<string, FunctionSignature>> {
    this.#all ??= this.#request();
    try {
      return await this.#all;
    } catch (error) {
      this.#all = undefined;
      throw error;
    }
  }

  async #request(): Promise<ReadonlyMap<string, FunctionSignature>> {
    try {
      const { functions, diagnostics } = await this.#provider.getFunctions({});
      settle(diagnostics, `functions of ${this.#name}`, this.#onWarning);
      // As in OpenTofu, the schema's signature of a function takes precedence.
      return new Map([...functions, ...this.#ofSchema]);
    } catch (error) {
      // A provider that does not implement GetFunctions has only the functions of its schema.
      if (error instanceof ProviderError && error.code === "UNIMPLEMENTED") return this.#ofSchema;
      throw error;
    }
  }
}
