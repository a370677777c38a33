// SPDX-License-Identifier: Apache-2.0
import type { DescMethod, DescService, Message } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { LazySignal, ServiceRegistration } from "@tenon/protocol/carrier";
import type { Diagnostic } from "../diagnostic.ts";
import type { CallOptions, Provider, StreamingCall, UnaryCall } from "../provider/provider.ts";
import type { Protocol, ProtocolRpcs } from "./protocol.ts";
import type { Rpc } from "./rpc.ts";
import type { WriteStateBytesMessage } from "./rpc/state-store.ts";
import { ServedProviders, type ProvidedBy } from "./served-provider.ts";
import { failureResponse, type Stage } from "./service-error.ts";
import { uploadedState } from "./uploaded-state.ts";

/** Creates the service of a provider. */
export function createService(protocol: Protocol, provider: ProvidedBy): ServiceRegistration {
  const { rpcs, service } = protocol;
  const providers = new ServedProviders(protocol, provider);
  const handlers: Record<string, Handler> = {};
  for (const name of Object.keys(rpcs) as (keyof ProtocolRpcs)[]) {
    const rpc = rpcs[name] as AnyRpc;
    handlers[rpc.method.localName] = handlerOf(name, rpc, providers);
  }
  return {
    // Schemas are sent as bytes that are already encoded.
    service: withMethod(service, rpcs.getProviderSchema.method),
    implementation: handlers as unknown as ServiceRegistration["implementation"],
  };
}

type AnyRpc = Rpc<unknown, unknown, DescMethod>;
type Handler = (request: never, context: HandlerContext) => Promise<Message> | AsyncIterable<Message>;

function handlerOf(name: keyof ProtocolRpcs, rpc: AnyRpc, providers: ServedProviders): Handler {
  if (name === "getProviderSchema") return schemaHandler(rpc, providers);
  switch (rpc.method.methodKind) {
    case "server_streaming":
      return streamHandler(name, rpc, providers);
    case "client_streaming":
      return uploadHandler(rpc as Rpc<WriteStateBytesMessage, unknown, DescMethod>, providers);
    default:
      return unaryHandler(name, rpc, providers);
  }
}

function schemaHandler(rpc: AnyRpc, providers: ServedProviders): Handler {
  return async (_request, context) => {
    try {
      return await providers.schemaResponse(await providers.for(context));
    } catch (error) {
      return failureResponse(error, { rpc, stage: "provider", context });
    }
  };
}

function unaryHandler(name: keyof ProtocolRpcs, rpc: AnyRpc, providers: ServedProviders): Handler {
  return async (message: Message, context) => {
    let stage: Stage = "provider";
    let diagnostics: readonly Diagnostic[] = [];
    try {
      const served = providers.for(context);
      const { provider, known } = served instanceof Promise ? await served : served;
      const knownTypes = known.types(rpc.needs, rpc.typeName(message));
      const types = knownTypes instanceof Promise ? await knownTypes : knownTypes;
      stage = "request";
      const request = rpc.readRequest(message, types);
      stage = "provider";
      const response =
        name === "getResourceIdentitySchemas" ? await known.identities() : await callsOf(provider)[name]!(request, optionsOf(context));
      if (name === "configureProvider") known.configured();
      stage = "response";
      diagnostics = diagnosticsIn(response);
      const encoded = rpc.writeResponse(response, types);
      rpc.complete?.(encoded, message);
      return encoded;
    } catch (error) {
      return failureResponse(error, { rpc, stage, context, diagnostics });
    }
  };
}

function streamHandler(name: keyof ProtocolRpcs, rpc: AnyRpc, providers: ServedProviders): Handler {
  return async function* (message: Message, context) {
    let stage: Stage = "provider";
    let diagnostics: readonly Diagnostic[] = [];
    try {
      const { provider, known } = await providers.for(context);
      const types = await known.types(rpc.needs, rpc.typeName(message));
      stage = "request";
      const request = rpc.readRequest(message, types);
      stage = "provider";
      for await (const event of streamsOf(provider)[name]!(request, optionsOf(context))) {
        stage = "response";
        diagnostics = diagnosticsIn(event);
        yield rpc.writeResponse(event, types);
        stage = "provider";
        diagnostics = [];
      }
    } catch (error) {
      // Events that were sent stay valid; the last one reports the failure.
      yield failureResponse(error, { rpc, stage, context, diagnostics });
    }
  };
}

function uploadHandler(rpc: Rpc<WriteStateBytesMessage, unknown, DescMethod>, providers: ServedProviders): Handler {
  return async (messages: AsyncIterable<Message>, context) => {
    let stage: Stage = "provider";
    try {
      const { provider, known } = await providers.for(context);
      const types = await known.types(rpc.needs, "");
      stage = "request";
      const request = await uploadedState(readAll(messages, (message) => rpc.readRequest(message, types)));
      stage = "provider";
      const response = await provider.writeStateBytes(request, optionsOf(context));
      stage = "response";
      return rpc.writeResponse(response, types);
    } catch (error) {
      return failureResponse(error, { rpc, stage, context });
    }
  };
}

async function* readAll<Model>(messages: AsyncIterable<Message>, read: (message: Message) => Model): AsyncIterable<Model> {
  for await (const message of messages) yield read(message);
}

// Each RPC has the name of the provider's method, whose types it has. The types are not used here, where all RPCs are handled alike.
// Methods are called on the provider, which may be an instance of a class.
function callsOf(provider: Provider): Partial<Record<string, UnaryCall<unknown, unknown>>> {
  return provider as unknown as Partial<Record<string, UnaryCall<unknown, unknown>>>;
}

function streamsOf(provider: Provider): Partial<Record<string, StreamingCall<unknown, unknown>>> {
  return provider as unknown as Partial<Record<string, StreamingCall<unknown, unknown>>>;
}

/** Options whose signal is created on access: most providers never use it. */
function optionsOf(context: HandlerContext): CallOptions {
  if ("isAborted" in context) return new LazySignalCallOptions(context as HandlerContext & LazySignal);
  return {
    get signal() {
      return context.signal;
    },
  };
}

/** Options of a call of our own carrier, which settles cancelled calls itself. */
class LazySignalCallOptions implements CallOptions {
  declare readonly signal: AbortSignal;
  readonly #context: LazySignal;

  constructor(context: HandlerContext & LazySignal) {
    this.#context = context;
    // Copies of the options contain the signal only.
    Object.defineProperty(this, "signal", { enumerable: true, get: () => context.signal });
  }

  isAborted(): boolean {
    return this.#context.isAborted();
  }
}

function diagnosticsIn(response: unknown): readonly Diagnostic[] {
  return typeof response === "object" && response !== null && "diagnostics" in response && Array.isArray(response.diagnostics)
    ? (response.diagnostics as readonly Diagnostic[])
    : [];
}

function withMethod(service: DescService, method: DescMethod): DescService {
  return {
    ...service,
    methods: service.methods.map((known) => (known.localName === method.localName ? method : known)),
    method: { ...service.method, [method.localName]: method },
  };
}
