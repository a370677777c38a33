// SPDX-License-Identifier: Apache-2.0
import type { DescMethodClientStreaming, DescMethodServerStreaming, Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { cancellableStream } from "@tenon/protocol/carrier";
import { ProviderError } from "../error.ts";
import type { GetProviderSchemaResponse } from "../messages/provider.ts";
import type { CallOptions, StreamingCall, UnaryCall } from "../provider/provider.ts";
import { abortable } from "./abortable.ts";
import { callError, translationError } from "./client-error.ts";
import { KnownProvider, SchemaUnavailable } from "./known-provider.ts";
import type { ProtocolRpcs } from "./protocol.ts";
import type { Rpc } from "./rpc.ts";
import { sharedIdentities, sharedSchema, type SharedSchemas, storedSchema, storeSchema, type SchemaStore } from "./schema-store.ts";
import type { Types } from "./types.ts";

/** Options of a provider client. */
export interface ProviderClientOptions {
  /** Ends the provider and its connection. Called once. */
  close(): Promise<void>;
  /** Adds the cause to the error of a failed call, such as how the provider's process ended. Default: the error is not changed. */
  explain?(error: ProviderError): ProviderError | Promise<ProviderError>;
  /** Store of encoded schemas, which avoids requesting them again from a provider that allows it. Its content must be of this provider and this protocol version. Default: the schemas are requested.
   */
  readonly schemaStore?: SchemaStore;
  /** Schemas shared with other processes of the same provider and protocol version. Default: none are shared. */
  readonly sharedSchemas?: SharedSchemas;
}

/** Encoded request, with the types of its response. */
interface EncodedRequest {
  readonly message: Message;
  readonly types: Types;
}

/** Calls of one client: encodes requests for the transport, and decodes responses. */
export class ClientCalls {
  readonly #transport: Transport;
  readonly #options: ProviderClientOptions;
  #closed: Promise<void> | undefined;
  /** Schemas and functions of the provider behind the transport. */
  readonly known: KnownProvider;

  constructor(transport: Transport, options: ProviderClientOptions, rpcs: ProtocolRpcs) {
    this.#transport = transport;
    this.#options = options;
    const { schemaStore, sharedSchemas } = options;
    const schemaCall = this.unary(rpcs.getProviderSchema);
    const identitiesCall = this.unary(rpcs.getResourceIdentitySchemas);
    const functions = this.unary(rpcs.getFunctions);
    const schema = schemaStore ? () => this.#schemaFrom(schemaStore, rpcs.getProviderSchema) : () => schemaCall({});
    const identities = () => identitiesCall({});
    this.known = new KnownProvider({
      schema: sharedSchemas ? () => sharedSchema(sharedSchemas, schema) : schema,
      identities: sharedSchemas ? () => sharedIdentities(sharedSchemas, identities) : identities,
      functions: () => functions({}),
    });
  }

  unary<Request, Response>(rpc: Rpc<Request, Response>): UnaryCall<Request, Response> {
    return async (request, options) => {
      const { message, types } = await this.#encode(rpc, request, options);
      let response: Message;
      try {
        response = (await this.#transport.unary(rpc.method, options?.signal, undefined, undefined, message)).message;
      } catch (error) {
        throw await this.#callError(rpc, error, options);
      }
      return decodeResponse(rpc, response, types);
    };
  }

  async #schemaFrom(store: SchemaStore, rpc: ProtocolRpcs["getProviderSchema"]): Promise<GetProviderSchemaResponse> {
    const stored = await storedSchema(rpc, store);
    if (stored !== undefined) return stored;
    const { message, types } = await this.#encode(rpc, {}, undefined);
    let response: Message;
    try {
      response = (await this.#transport.unary(rpc.method, undefined, undefined, undefined, message)).message;
    } catch (error) {
      throw await this.#callError(rpc, error, undefined);
    }
    const schema = decodeResponse(rpc, response, types);
    await storeSchema(rpc, store, response, schema);
    return schema;
  }

  /** Waits for a response that several calls share. Cancelling the wait does not cancel the request. */
  async shared<Response>(rpc: AnyRpc<never>, response: () => Promise<Response>, options: CallOptions | undefined): Promise<Response> {
    this.#assertOpen(rpc, options);
    try {
      return await abortable(response(), options?.signal);
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      throw await this.#callError(rpc, error, options);
    }
  }

  stream<Request, Event>(rpc: Rpc<Request, Event, DescMethodServerStreaming>): StreamingCall<Request, Event> {
    return (request, options) => cancellableStream((signal) => this.#events(rpc, request, options, signal), options?.signal);
  }

  /** Makes a call whose request is a stream. An error that the caller's stream throws is rethrown unchanged. */
  async upload<Chunk, Response>(
    rpc: Rpc<Chunk, Response, DescMethodClientStreaming>,
    chunks: AsyncIterable<Chunk>,
    options: CallOptions | undefined,
  ): Promise<Response> {
    this.#assertOpen(rpc, options);
    const types = await this.#typesOf(rpc, "", options);
    const source = chunks[Symbol.asyncIterator]();
    let sourceError: { readonly error: unknown } | undefined;
    const next = async (): Promise<Message | undefined> => {
      try {
        const chunk = await source.next();
        return chunk.done === true ? undefined : rpc.writeRequest(chunk.value, types);
      } catch (error) {
        sourceError = { error };
        throw error;
      }
    };
    const messages = async function* (): AsyncIterable<Message> {
      for (let message = await next(); message !== undefined; message = await next()) yield message;
    };
    const call = (signal: AbortSignal): AsyncIterable<Message> => this.#responses(rpc, messages(), signal);
    let response: Message | undefined;
    try {
      for await (response of cancellableStream(call, options?.signal)) break;
      if (response === undefined) throw new ConnectError("no response", Code.Internal);
    } catch (error) {
      if (sourceError === undefined) throw await this.#callError(rpc, error, options);
    } finally {
      // The transport does not close the source. The close is not awaited, because the chunk requested last may take long.
      void source.return?.().catch(() => {});
    }
    if (sourceError !== undefined) throw sourceError.error;
    return decodeResponse(rpc, response!, types);
  }

  close(): Promise<void> {
    this.#closed ??= this.#options.close();
    return this.#closed;
  }

  async *#events<Request, Event>(
    rpc: Rpc<Request, Event, DescMethodServerStreaming>,
    request: Request,
    options: CallOptions | undefined,
    signal: AbortSignal,
  ): AsyncIterable<Event> {
    const { message, types } = await this.#encode(rpc, request, options);
    const messages = this.#responses(rpc, one(message), signal)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await messages.next().catch(async (error: unknown) => {
          throw await this.#callError(rpc, error, options);
        });
        if (next.done === true) return;
        yield decodeResponse(rpc, next.value, types);
      }
    } finally {
      await messages.return?.();
    }
  }

  async *#responses(
    { method }: { readonly method: DescMethodServerStreaming | DescMethodClientStreaming },
    messages: AsyncIterable<Message>,
    signal: AbortSignal,
  ): AsyncIterable<Message> {
    yield* (await this.#transport.stream(method, signal, undefined, undefined, messages)).message;
  }

  async #encode<Request>(rpc: AnyRpc<Request>, request: Request, options: CallOptions | undefined): Promise<EncodedRequest> {
    this.#assertOpen(rpc, options);
    const known = this.#typesOf(rpc, rpc.typeName(request), options);
    const types = known instanceof Promise ? await known : known;
    try {
      return { message: rpc.writeRequest(request, types), types };
    } catch (cause) {
      throw translationError("INVALID_REQUEST", rpc.method.name, cause);
    }
  }

  /** Returns the types of a call's messages. Requests them from the provider if they are not known yet. */
  #typesOf(rpc: AnyRpc<never>, typeName: string, options: CallOptions | undefined): Types | Promise<Types> {
    const types = this.known.types(rpc.needs, typeName);
    return types instanceof Promise ? this.#requestedTypes(rpc, types, options) : types;
  }

  async #requestedTypes(rpc: AnyRpc<never>, types: Promise<Types>, options: CallOptions | undefined): Promise<Types> {
    try {
      return await abortable(types, options?.signal);
    } catch (cause) {
      // The request for the schemas failed, so the request of the call was not sent.
      if (cause instanceof SchemaUnavailable) {
        throw new ProviderError("INTERNAL", `${rpc.method.name}: ${cause.message}`, { cause, requestSent: false });
      }
      const error = cause instanceof ProviderError ? cause : await this.#callError(rpc, cause, options);
      throw error.asUnsent();
    }
  }

  #assertOpen({ method: { name } }: AnyRpc<never>, options: CallOptions | undefined): void {
    if (this.#closed !== undefined) throw new ProviderError("CLOSED", `${name}: the provider is closed`, { requestSent: false });
    if (options?.signal?.aborted) {
      throw new ProviderError("CANCELLED", `${name}: the caller cancelled the call before it was sent`, {
        cause: options.signal.reason,
        requestSent: false,
      });
    }
  }

  async #callError({ method: { name } }: AnyRpc<never>, reason: unknown, options: CallOptions | undefined): Promise<ProviderError> {
    const error = callError(reason, { rpc: name, signal: options?.signal, closed: this.#closed !== undefined });
    return this.#options.explain === undefined ? error : await this.#options.explain(error);
  }
}

interface AnyRpc<Request> extends Pick<Rpc<Request, unknown>, "needs" | "typeName" | "writeRequest"> {
  readonly method: { readonly name: string };
}

function decodeResponse<Response>(
  rpc: Pick<Rpc<never, Response>, "readResponse"> & AnyRpc<never>,
  response: Message,
  types: Types,
): Response {
  try {
    return rpc.readResponse(response, types);
  } catch (cause) {
    throw translationError("INVALID_RESPONSE", rpc.method.name, cause);
  }
}

async function* one(message: Message): AsyncIterable<Message> {
  yield message;
}
