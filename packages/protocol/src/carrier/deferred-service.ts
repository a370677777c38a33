// SPDX-License-Identifier: Apache-2.0
/**
 * A service that is there before what implements it is loaded.
 *
 * @module
 */
import { type DescMethod, type DescService, fromBinary, type Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { EmptySchema } from "../gen/lean/plugin/grpc_controller_pb.ts";
import { registration, type ServiceRegistration } from "./carrier.ts";

/** What a service is served with before it is loaded. */
export interface DeferredServiceOptions {
  readonly service: DescService;
  /** Encoded answers to calls that always have the same one, by the method's name in a client: those calls load nothing. */
  readonly answers: Readonly<Record<string, Uint8Array>>;
  /** Loads what answers the rest. Called with the first call that needs it, and again only after it failed. */
  readonly load: () => Promise<ServiceRegistration>;
  /** How long after the first of these answers it is loaded without being needed, in milliseconds: more is likely to come. Default: never. */
  readonly loadAfterMs?: number;
}

type Answer = Message | Promise<Message> | AsyncIterable<Message>;
type Handler = (request: unknown, context: unknown) => Answer;
type Handlers = Readonly<Record<string, Handler | undefined>>;

/** A service whose implementation is loaded when it is first needed. Once it is there, calls go to it directly. */
export function deferredService({ service, answers, load, loadAfterMs }: DeferredServiceOptions): ServiceRegistration {
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
  let soon: NodeJS.Timeout | undefined;
  const loadSoon = (): void => {
    if (loadAfterMs === undefined || loading !== undefined) return;
    // What fails is told to who needs it.
    soon ??= setTimeout(() => void handlers().catch(() => {}), loadAfterMs).unref();
  };
  const deferred: Record<string, Handler> = {};
  for (const { localName, methodKind } of service.methods) {
    const streams = methodKind === "server_streaming" || methodKind === "bidi_streaming";
    const later = streams ? streamed : answered;
    deferred[localName] = (request, context) =>
      loaded === undefined ? later(handlers(), localName, request, context) : handlerOf(loaded, localName)(request, context);
  }
  for (const [localName, bytes] of Object.entries(answers)) {
    // A message without fields keeps all that it is read from, and is written as that.
    const answer = fromBinary(EmptySchema, bytes);
    deferred[localName] = () => {
      loadSoon();
      return answer;
    };
  }
  return registration(withOutputs(service, Object.keys(answers)), deferred as unknown as ServiceRegistration["implementation"]);
}

async function answered(handlers: Promise<Handlers>, name: string, request: unknown, context: unknown): Promise<Message> {
  return handlerOf(await handlers, name)(request, context) as Promise<Message>;
}

async function* streamed(handlers: Promise<Handlers>, name: string, request: unknown, context: unknown): AsyncIterable<Message> {
  yield* handlerOf(await handlers, name)(request, context) as AsyncIterable<Message>;
}

function handlerOf(handlers: Handlers, name: string): Handler {
  const handler = handlers[name];
  if (handler === undefined) throw new ConnectError(`${name} is not served here`, Code.Unimplemented);
  return handler;
}

/** The service, with answers of these methods that may hold anything. */
function withOutputs(service: DescService, names: readonly string[]): DescService {
  const changed = (method: DescMethod): DescMethod => (names.includes(method.localName) ? { ...method, output: EmptySchema } : method);
  return {
    ...service,
    methods: service.methods.map(changed),
    method: Object.fromEntries(Object.entries(service.method).map(([name, method]) => [name, changed(method)])),
  };
}
