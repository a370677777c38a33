// SPDX-License-Identifier: Apache-2.0
import type { DescMethodClientStreaming, DescMethodServerStreaming, Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { cancellableStream } from "@tenon/protocol/carrier";
import { ProviderError } from "../error.ts";
import type { GetProviderSchemaResponse } from "../messages/provider.ts";
import type { CallOptions, StreamingCall, UnaryCall } from "../provider.ts";
import { abortable } from "./abortable.ts";
import { callError, translationError } from "./client-error.ts";
import { KnownProvider, SchemaUnavailable } from "./known-provider.ts";
import type { ProtocolRpcs } from "./protocol.ts";
import type { Rpc } from "./rpc.ts";
import { storedSchema, storeSchema, type SchemaStore } from "./schema-store.ts";
import type { Types } from "./types.ts";

/** What a client is told of the provider behind its transport. */
export interface ProviderClientOptions {
  /** Ends the provider and its connection. Called once. */
  close(): Promise<void>;
  /**
   * Says more of a failed call before its caller gets the error, such as how the provider's process ended. Default: the error
   * as it is.
   */
  explain?(error: ProviderError): ProviderError | Promise<ProviderError>;
  /**
   * Spares asking for the schemas, of a provider that allows it. What is in it must be of this very provider, as this protocol version has it.
   * Default: it is asked.
   */
  readonly schemaStore?: SchemaStore;
}

/** A request on its way: as a message, with the types that its answer will have. */
interface Sent {
  readonly message: Message;
  readonly types: Types;
}

/** The calls of one client: from a model to the transport and back. */
export class ClientCalls {
  readonly #transport: Transport;
  readonly #options: ProviderClientOptions;
  #closed: Promise<void> | undefined;
  /** What the provider behind the transport says of itself. */
  readonly known: KnownProvider;

  constructor(transport: Transport, options: ProviderClientOptions, rpcs: ProtocolRpcs) {
    this.#transport = transport;
    this.#options = options;
    const { schemaStore } = options;
    const schema = schemaStore
      ? (): Promise<GetProviderSchemaResponse> => this.#schemaFrom(schemaStore, rpcs.getProviderSchema)
      : this.unary(rpcs.getProviderSchema);
    const identities = this.unary(rpcs.getResourceIdentitySchemas);
    const functions = this.unary(rpcs.getFunctions);
    this.known = new KnownProvider({ schema: () => schema({}), identities: () => identities({}), functions: () => functions({}) });
  }

  unary<Request, Response>(rpc: Rpc<Request, Response>): UnaryCall<Request, Response> {
    return async (request, options) => {
      const { message, types } = await this.#send(rpc, request, options);
      let answer: Message;
      try {
        answer = (await this.#transport.unary(rpc.method, options?.signal, undefined, undefined, message)).message;
      } catch (error) {
        throw await this.#failed(rpc, error, options);
      }
      return readAnswer(rpc, answer, types);
    };
  }

  async #schemaFrom(store: SchemaStore, rpc: ProtocolRpcs["getProviderSchema"]): Promise<GetProviderSchemaResponse> {
    const stored = await storedSchema(rpc, store);
    if (stored !== undefined) return stored;
    const { message, types } = await this.#send(rpc, {}, undefined);
    let answer: Message;
    try {
      answer = (await this.#transport.unary(rpc.method, undefined, undefined, undefined, message)).message;
    } catch (error) {
      throw await this.#failed(rpc, error, undefined);
    }
    const schema = readAnswer(rpc, answer, types);
    await storeSchema(rpc, store, answer, schema);
    return schema;
  }

  /** What the provider says of itself; others may wait for the same answer, and giving up waiting does not cancel it. */
  async ask<Response>(rpc: AnyRpc<never>, answer: () => Promise<Response>, options: CallOptions | undefined): Promise<Response> {
    this.#assertOpen(rpc, options);
    try {
      return await abortable(answer(), options?.signal);
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      throw await this.#failed(rpc, error, options);
    }
  }

  stream<Request, Event>(rpc: Rpc<Request, Event, DescMethodServerStreaming>): StreamingCall<Request, Event> {
    return (request, options) => cancellableStream((signal) => this.#events(rpc, request, options, signal), options?.signal);
  }

  /** A call whose request is a stream; an error of the stream itself is the caller's and comes back as it is. */
  async upload<Chunk, Response>(
    rpc: Rpc<Chunk, Response, DescMethodClientStreaming>,
    chunks: AsyncIterable<Chunk>,
    options: CallOptions | undefined,
  ): Promise<Response> {
    this.#assertOpen(rpc, options);
    const types = await this.known.types(rpc.needs, "");
    const source = chunks[Symbol.asyncIterator]();
    let own: { readonly error: unknown } | undefined;
    const next = async (): Promise<Message | undefined> => {
      try {
        const chunk = await source.next();
        return chunk.done === true ? undefined : rpc.writeRequest(chunk.value, types);
      } catch (error) {
        own = { error };
        throw error;
      }
    };
    const messages = async function* (): AsyncIterable<Message> {
      for (let message = await next(); message !== undefined; message = await next()) yield message;
    };
    const call = (signal: AbortSignal): AsyncIterable<Message> => this.#answers(rpc, messages(), signal);
    let answer: Message | undefined;
    try {
      for await (answer of cancellableStream(call, options?.signal)) break;
      if (answer === undefined) throw new ConnectError("no answer", Code.Internal);
    } catch (error) {
      if (own === undefined) throw await this.#failed(rpc, error, options);
    } finally {
      // The transport does not say that it will take no more; and what is asked of the source already may take its time.
      void source.return?.().catch(() => {});
    }
    if (own !== undefined) throw own.error;
    return readAnswer(rpc, answer!, types);
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
    const { message, types } = await this.#send(rpc, request, options);
    const messages = this.#answers(rpc, one(message), signal)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await messages.next().catch(async (error: unknown) => {
          throw await this.#failed(rpc, error, options);
        });
        if (next.done === true) return;
        yield readAnswer(rpc, next.value, types);
      }
    } finally {
      await messages.return?.();
    }
  }

  async *#answers(
    { method }: { readonly method: DescMethodServerStreaming | DescMethodClientStreaming },
    messages: AsyncIterable<Message>,
    signal: AbortSignal,
  ): AsyncIterable<Message> {
    yield* (await this.#transport.stream(method, signal, undefined, undefined, messages)).message;
  }

  async #send<Request>(rpc: AnyRpc<Request>, request: Request, options: CallOptions | undefined): Promise<Sent> {
    this.#assertOpen(rpc, options);
    const known = this.known.types(rpc.needs, rpc.typeName(request));
    const types = known instanceof Promise ? await this.#learned(rpc, known, options) : known;
    try {
      return { message: rpc.writeRequest(request, types), types };
    } catch (cause) {
      throw translationError("INVALID_REQUEST", rpc.method.name, cause);
    }
  }

  async #learned(rpc: AnyRpc<never>, types: Promise<Types>, options: CallOptions | undefined): Promise<Types> {
    try {
      return await abortable(types, options?.signal);
    } catch (cause) {
      if (cause instanceof SchemaUnavailable) throw new ProviderError("INTERNAL", `${rpc.method.name}: ${cause.message}`, { cause });
      // A call that failed has been explained already.
      if (cause instanceof ProviderError) throw cause;
      throw await this.#failed(rpc, cause, options);
    }
  }

  #assertOpen({ method: { name } }: AnyRpc<never>, options: CallOptions | undefined): void {
    if (this.#closed !== undefined) throw new ProviderError("CLOSED", `${name}: the provider is closed`);
    if (options?.signal?.aborted) throw new ProviderError("CANCELLED", `${name}: the call was given up before it was made`);
  }

  async #failed({ method: { name } }: AnyRpc<never>, reason: unknown, options: CallOptions | undefined): Promise<ProviderError> {
    const error = callError(reason, { rpc: name, signal: options?.signal, closed: this.#closed !== undefined });
    return this.#options.explain === undefined ? error : await this.#options.explain(error);
  }
}

interface AnyRpc<Request> extends Pick<Rpc<Request, unknown>, "needs" | "typeName" | "writeRequest"> {
  readonly method: { readonly name: string };
}

function readAnswer<Response>(rpc: Pick<Rpc<never, Response>, "readResponse"> & AnyRpc<never>, answer: Message, types: Types): Response {
  try {
    return rpc.readResponse(answer, types);
  } catch (cause) {
    throw translationError("INVALID_RESPONSE", rpc.method.name, cause);
  }
}

async function* one(message: Message): AsyncIterable<Message> {
  yield message;
}
