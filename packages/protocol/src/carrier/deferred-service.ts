// SPDX-License-Identifier: Apache-2.0
/**
 * A service whose implementation is loaded on demand.
 *
 * @module
 */
import { type DescMethod, type DescService, fromBinary, type Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { EmptySchema } from "../gen/lean/plugin/grpc_controller_pb.ts";
import { registration, type ServiceRegistration } from "./carrier.ts";

/** Options of {@link deferredService}. */
export interface DeferredServiceOptions {
  /** Descriptor of the service. */
  readonly service: DescService;
  /** Encoded responses of methods that always send the same response, by method name. Calls of these methods do not load the service. */
  readonly responses: Readonly<Record<string, Uint8Array>>;
  /** Loads the implementation. Called by the first call that needs the implementation, and again only after loading has failed. */
  readonly load: () => Promise<ServiceRegistration>;
  /** Time between the first prepared response and loading the implementation in advance, in milliseconds. Default: never. */
  readonly loadAfterMs?: number;
}

type Answer = Message | Promise<Message> | AsyncIterable<Message>;
type Handler = (request: unknown, context: unknown) => Answer;
type Handlers = Readonly<Record<string, Handler | undefined>>;

/** Creates a service whose implementation is loaded by the first call that needs it. */
export function deferredService({ service, responses, load, loadAfterMs }: DeferredServiceOptions): ServiceRegistration {
  let loaded: Handlers | undefined;
  let loading: Promise<Handlers> | undefined;
  const handlers = (): Promise<Handlers> => {
    loading ??= load().then(
      ({ implementation }) => (loaded = implementation as Handlers),
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  let timer: NodeJS.Timeout | undefined;
  const scheduleLoad = (): void => {
    if (loadAfterMs === undefined || loading !== undefined) return;
    // The first call that needs the implementation loads it again, and reports the error.
    timer ??= setTimeout(() => void handlers().catch(() => {}), loadAfterMs).unref();
  };
  const deferred: Record<string, Handler> = {};
  for (const { localName, methodKind } of service.methods) {
    const streams = methodKind === "server_streaming" || methodKind === "bidi_streaming";
    const forward = streams ? forwardStream : forwardUnary;
    deferred[localName] = (request, context) =>
      loaded === undefined ? forward(handlers(), localName, request, context) : handlerOf(loaded, localName)(request, context);
  }
  for (const [localName, bytes] of Object.entries(responses)) {
    // A message without known fields keeps everything as unknown fields, and is encoded to the same bytes.
    const response = fromBinary(EmptySchema, bytes);
    deferred[localName] = () => {
      scheduleLoad();
      return response;
    };
  }
  return registration(withOutputs(service, Object.keys(responses)), deferred as unknown as ServiceRegistration["implementation"]);
}

async function forwardUnary(handlers: Promise<Handlers>, name: string, request: unknown, context: unknown): Promise<Message> {
  return handlerOf(await handlers, name)(request, context) as Promise<Message>;
}

async function* forwardStream(handlers: Promise<Handlers>, name: string, request: unknown, context: unknown): AsyncIterable<Message> {
  yield* handlerOf(await handlers, name)(request, context) as AsyncIterable<Message>;
}

function handlerOf(handlers: Handlers, name: string): Handler {
  const handler = handlers[name];
  if (handler === undefined) throw new ConnectError(`the service does not implement ${name}`, Code.Unimplemented);
  return handler;
}

/** Returns the service with an empty response type for these methods: the type accepts any bytes as unknown fields. */
function withOutputs(service: DescService, names: readonly string[]): DescService {
  const changed = (method: DescMethod): DescMethod => (names.includes(method.localName) ? { ...method, output: EmptySchema } : method);
  return {
    ...service,
    methods: service.methods.map(changed),
    method: Object.fromEntries(Object.entries(service.method).map(([name, method]) => [name, changed(method)])),
  };
}
