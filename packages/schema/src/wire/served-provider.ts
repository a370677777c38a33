// SPDX-License-Identifier: Apache-2.0
import type { Message } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { errorDiagnostic, hasErrors } from "../diagnostic.ts";
import type { GetProviderSchemaResponse } from "../messages/provider.ts";
import type { Provider } from "../provider/provider.ts";
import { KnownProvider } from "./known-provider.ts";
import type { Protocol } from "./protocol.ts";
import { emptyProviderSchema } from "./schema/provider-schema.ts";
import { noTypes } from "./types.ts";

/** Maximum size of GetProviderSchema's response in bytes. The cores reject a larger response with an error that does not mention schemas. */
export const schemaLimit: number = 64 * 1024 * 1024;

/** Provider of a service: one instance for all calls, or a function that returns the instance for a call, by its session for example. */
export type ProvidedBy = Provider | ((context: HandlerContext) => Provider | Promise<Provider>);

/** Provider with its known schemas. */
export interface ServedProvider {
  readonly provider: Provider;
  readonly known: KnownProvider;
}

/** Providers behind one service. */
export class ServedProviders {
  readonly #protocol: Protocol;
  readonly #source: ProvidedBy;
  readonly #served = new WeakMap<Provider, ServedProvider>();
  /** Encoded schemas, by the response that they encode: instances of one provider may return the same response. */
  readonly #encodedSchemas = new WeakMap<GetProviderSchemaResponse, Message>();

  constructor(protocol: Protocol, source: ProvidedBy) {
    this.#protocol = protocol;
    this.#source = source;
  }

  for(context: HandlerContext): ServedProvider | Promise<ServedProvider> {
    const provider = typeof this.#source === "function" ? this.#source(context) : this.#source;
    return provider instanceof Promise ? provider.then((awaited) => this.#serve(awaited)) : this.#serve(provider);
  }

  /** Returns the response to GetProviderSchema. It is encoded once for each response of the provider. */
  async schemaResponse({ known }: ServedProvider): Promise<Message> {
    const schema = await known.schema();
    let response = this.#encodedSchemas.get(schema);
    if (response === undefined) {
      response = this.#encode(schema);
      this.#encodedSchemas.set(schema, response);
    }
    return response;
  }

  #encode(schema: GetProviderSchemaResponse): Message {
    const { schemaErrors, rpcs } = this.#protocol;
    const rpc = rpcs.getProviderSchema;
    const errors = schemaErrors?.(schema) ?? [];
    if (hasErrors(errors)) return rpc.writeResponse({ ...emptyProviderSchema, diagnostics: errors }, noTypes);
    const response = rpc.writeResponse(schema, noTypes);
    const size = byteLength(response);
    if (size <= schemaLimit) return response;
    const detail = `The encoded schemas have ${size} bytes, and no core accepts more than ${schemaLimit}. Shorten descriptions, or divide the provider.`;
    return rpc.writeResponse(
      { ...emptyProviderSchema, diagnostics: [errorDiagnostic("The provider's schemas are too large", detail)] },
      noTypes,
    );
  }

  #serve(provider: Provider): ServedProvider {
    let served = this.#served.get(provider);
    if (served === undefined) {
      const known = new KnownProvider({
        schema: () => provider.getProviderSchema({}),
        identities: () => provider.getResourceIdentitySchemas({}),
        functions: () => provider.getFunctions({}),
      });
      served = { provider, known };
      this.#served.set(provider, served);
    }
    return served;
  }
}

/** Returns the approximate size of a message that holds only bytes, without tags and lengths. */
function byteLength(message: Message): number {
  let length = 0;
  for (const field of Object.values(message) as unknown[]) {
    for (const part of Array.isArray(field) ? (field as unknown[]) : [field]) if (part instanceof Uint8Array) length += part.length;
  }
  return length;
}
