// SPDX-License-Identifier: Apache-2.0
import { ProviderError } from "../error.ts";
import { streamingCallNames, unaryCallNames, type ProviderCalls, type StreamingCallName, type UnaryCallName } from "./call-names.ts";
import type { StreamingCall, UnaryCall } from "./provider.ts";

/** A unary call of any RPC. The types of its messages follow from the name of the call. */
export type AnyUnaryCall = UnaryCall<object, object>;

/** A streaming call of any RPC. The types of its messages follow from the name of the call. */
export type AnyStreamingCall = StreamingCall<object, object>;

/** Creates each call of a provider from its name. */
export interface CallFactory {
  /** Creates a call with one response. */
  unary(name: UnaryCallName): AnyUnaryCall;
  /** Creates a call with a stream of responses. */
  streaming(name: StreamingCallName): AnyStreamingCall;
}

/** Creates each call of a provider from the call of another provider with the same name. Requests and responses must keep their types. */
export interface CallMapping {
  /** Creates a call with one response. */
  unary(call: AnyUnaryCall, name: UnaryCallName): AnyUnaryCall;
  /** Creates a call with a stream of responses. */
  streaming(call: AnyStreamingCall, name: StreamingCallName): AnyStreamingCall;
}

/**
 * Creates all calls of a provider that treats every call in the same way. The caller adds `close()`.
 *
 * @example
 * const calls = createCalls({
 *   unary: (name) => async () => Promise.reject(new ProviderError("UNIMPLEMENTED", name)),
 *   streaming: (name) => async function* () { throw new ProviderError("UNIMPLEMENTED", name); },
 * });
 */
export function createCalls(factory: CallFactory): ProviderCalls {
  const entries = [
    ...unaryCallNames.map((name) => [name, factory.unary(name)] as const),
    ...streamingCallNames.map((name) => [name, factory.streaming(name)] as const),
  ];
  // The two lists name every call, and each call has the message types of its name.
  const calls: unknown = Object.fromEntries(entries);
  return calls as ProviderCalls;
}

/**
 * Creates the calls of a provider that implements none: each fails with `UNIMPLEMENTED`. The caller adds those that it implements, and `close()`.
 *
 * @param provider Subject of the errors: `the echo provider`.
 *
 * @example
 * const provider = { ...unimplementedCalls("the echo provider"), getMetadata, close };
 */
export function unimplementedCalls(provider: string): ProviderCalls {
  const unimplemented = (name: string): ProviderError =>
    new ProviderError("UNIMPLEMENTED", `${provider} does not implement ${name}`, { requestSent: false });
  return createCalls({
    unary: (name) => () => Promise.reject(unimplemented(name)),
    streaming: (name) =>
      // eslint-disable-next-line require-yield -- the call has no responses
      async function* () {
        throw unimplemented(name);
      },
  });
}

/**
 * Creates the calls of a decorator, each from the call of `calls` with the same name. The caller adds `close()`.
 *
 * @example
 * const counted = { ...provider, ...mapCalls(provider, {
 *   unary: (call) => (request, options) => (count++, call(request, options)),
 *   streaming: (call) => call,
 * }) };
 */
export function mapCalls(calls: ProviderCalls, mapping: CallMapping): ProviderCalls {
  return createCalls({
    unary: (name) => mapping.unary(calls[name] as unknown as AnyUnaryCall, name),
    streaming: (name) => mapping.streaming(calls[name] as unknown as AnyStreamingCall, name),
  });
}
