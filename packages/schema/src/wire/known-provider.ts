// SPDX-License-Identifier: Apache-2.0
import { hasErrors, type Diagnostic } from "../diagnostic.ts";
import { ProviderError } from "../error.ts";
import type { GetFunctionsResponse } from "../messages/function.ts";
import type { GetProviderSchemaResponse, GetResourceIdentitySchemasResponse } from "../messages/provider.ts";
import type { Needs } from "./kind/kind.ts";
import { Types, type KnownSchemas } from "./types.ts";

/** How a provider is asked about itself. */
export interface AskProvider {
  schema(): Promise<GetProviderSchemaResponse>;
  identities(): Promise<GetResourceIdentitySchemasResponse>;
  functions(): Promise<GetFunctionsResponse>;
}

/** The provider answers errors when it is asked for its schemas, so nothing else can be asked of it. */
export class SchemaUnavailable extends Error {
  override readonly name = "SchemaUnavailable";
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    const first = diagnostics.find(({ severity }) => severity === "error");
    super(`the provider does not say what it offers: ${first?.summary ?? "no reason given"}${first?.detail ? `: ${first.detail}` : ""}`);
    this.diagnostics = diagnostics;
  }
}

/**
 * What one provider says of itself: asked for when a message first needs it, once, whoever needs it. What failed is asked again.
 */
export class KnownProvider {
  readonly #ask: AskProvider;
  readonly #schema: Once<GetProviderSchemaResponse>;
  readonly #identities: Once<GetResourceIdentitySchemasResponse>;
  readonly #functions: Once<GetFunctionsResponse>;
  #known: KnownSchemas | undefined;

  constructor(ask: AskProvider) {
    this.#ask = ask;
    this.#schema = new Once(() => this.#ask.schema());
    this.#identities = new Once(() => this.#ask.identities());
    this.#functions = new Once(() => this.#ask.functions());
  }

  /** The answer, errors included. */
  schema(): Promise<GetProviderSchemaResponse> {
    return this.#schema.get();
  }

  identities(): Promise<GetResourceIdentitySchemasResponse> {
    return this.#identities.get();
  }

  /** A configured provider may have other functions than before. */
  configured(): void {
    this.#functions.forget();
    if (this.#known?.functions !== undefined) {
      const { schema, identities } = this.#known;
      this.#known = { schema, ...(identities ? { identities } : {}) };
    }
  }

  /**
   * The types for a call: at once where everything is known.
   *
   * @throws SchemaUnavailable
   */
  types(needs: Needs | undefined, typeName: string): Types | Promise<Types> {
    const known = this.#known;
    if (needs === undefined || (known !== undefined && isEnough(known, needs, typeName))) return new Types(known, typeName);
    return this.#learn(needs, typeName);
  }

  async #learn(needs: Needs, typeName: string): Promise<Types> {
    // The provider is asked for both at the same time; should the first fail, nobody is left to hear of the second.
    const asking = this.schema();
    const asked = needs === "identities" ? this.#identitiesIfAny() : undefined;
    asked?.catch(() => {});
    const schema = await asking;
    if (hasErrors(schema.diagnostics)) throw new SchemaUnavailable(schema.diagnostics);
    this.#known = { ...this.#known, schema };
    if (asked !== undefined) this.#known = { ...this.#known, schema, identities: await asked };
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

/** An answer that is asked for once and kept, unless it was not given or has errors in it. */
class Once<Answer extends { readonly diagnostics: readonly Diagnostic[] }> {
  readonly #ask: () => Promise<Answer>;
  #answer: Promise<Answer> | undefined;

  constructor(ask: () => Promise<Answer>) {
    this.#ask = ask;
  }

  get(): Promise<Answer> {
    if (this.#answer !== undefined) return this.#answer;
    const answer = this.#ask();
    this.#answer = answer;
    void this.#review(answer);
    return answer;
  }

  forget(): void {
    this.#answer = undefined;
  }

  async #review(answer: Promise<Answer>): Promise<void> {
    const keep = await answer.then(
      ({ diagnostics }) => !hasErrors(diagnostics),
      () => false,
    );
    if (!keep && this.#answer === answer) this.#answer = undefined;
  }
}
