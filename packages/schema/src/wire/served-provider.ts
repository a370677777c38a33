// SPDX-License-Identifier: Apache-2.0
import type { Message } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { errorDiagnostic, hasErrors } from "../diagnostic.ts";
import type { GetProviderSchemaResponse } from "../messages/provider.ts";
import type { Provider } from "../provider.ts";
import { KnownProvider } from "./known-provider.ts";
import type { Protocol } from "./protocol.ts";
import { emptyProviderSchema } from "./schema/provider-schema.ts";
import { noTypes } from "./types.ts";

/** Both cores refuse a larger answer to GetProviderSchema, with words that say nothing of schemas. */
export const schemaLimit: number = 64 * 1024 * 1024;

/** The provider that answers a call: always the same, or one for the call's session. */
export type ProvidedBy = Provider | ((context: HandlerContext) => Provider | Promise<Provider>);

/** A provider and what was learnt of it for its peers. */
export interface ServedProvider {
  readonly provider: Provider;
  readonly known: KnownProvider;
}

/** The providers behind one service. */
export class ServedProviders {
  readonly #protocol: Protocol;
  readonly #source: ProvidedBy;
  readonly #served = new WeakMap<Provider, ServedProvider>();
  /** By what was said, as the instances of one provider may say the same. */
  readonly #schemaAnswers = new WeakMap<GetProviderSchemaResponse, Message>();

  constructor(protocol: Protocol, source: ProvidedBy) {
    this.#protocol = protocol;
    this.#source = source;
  }

  for(context: HandlerContext): ServedProvider | Promise<ServedProvider> {
    const provider = typeof this.#source === "function" ? this.#source(context) : this.#source;
    return provider instanceof Promise ? provider.then((awaited) => this.#serve(awaited)) : this.#serve(provider);
  }

  /** The answer to GetProviderSchema: encoded once, as long as the provider says the same. */
  async schemaAnswer({ known }: ServedProvider): Promise<Message> {
    const schema = await known.schema();
    let answer = this.#schemaAnswers.get(schema);
    if (answer === undefined) {
      answer = this.#encode(schema);
      this.#schemaAnswers.set(schema, answer);
    }
    return answer;
  }

  #encode(schema: GetProviderSchemaResponse): Message {
    const { misfits, rpcs } = this.#protocol;
    const rpc = rpcs.getProviderSchema;
    const problems = misfits?.(schema) ?? [];
    if (hasErrors(problems)) return rpc.writeResponse({ ...emptyProviderSchema, diagnostics: problems }, noTypes);
    const answer = rpc.writeResponse(schema, noTypes);
    const size = byteLength(answer);
    if (size <= schemaLimit) return answer;
    const detail = `Encoded they take ${size} bytes, and no core accepts more than ${schemaLimit}. Shorten descriptions, or divide the provider.`;
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

/** Of a message that holds nothing but bytes; the few of tags and lengths are left out. */
function byteLength(message: Message): number {
  let length = 0;
  for (const field of Object.values(message) as unknown[]) {
    for (const part of Array.isArray(field) ? (field as unknown[]) : [field]) if (part instanceof Uint8Array) length += part.length;
  }
  return length;
}
