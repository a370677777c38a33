// SPDX-License-Identifier: Apache-2.0
import { AsyncLocalStorage } from "node:async_hooks";
import { type AnyStreamingCall, type AnyUnaryCall, mapCalls, type Provider, type ProviderFactory } from "@tenon/schema";

/**
 * Creates a factory of providers whose calls run in the asynchronous context of this function's caller, the test. A call that arrives on a socket has none
 * otherwise, so that the handlers would not see what the test has stored in an `AsyncLocalStorage`.
 */
export function inCallerContext(factory: ProviderFactory): ProviderFactory {
  const inContext = AsyncLocalStorage.snapshot();
  return async (options) => {
    const provider: Provider = await inContext(factory, options);
    const close = (): Promise<void> => inContext(() => provider.close());
    const calls = mapCalls(provider, {
      unary:
        (call: AnyUnaryCall): AnyUnaryCall =>
        (request, settings) =>
          inContext(call, request, settings),
      streaming: (call: AnyStreamingCall): AnyStreamingCall =>
        async function* (request, settings) {
          const items = inContext(call, request, settings)[Symbol.asyncIterator]();
          let hasEnded = false;
          try {
            for (let item = await inContext(() => items.next()); ; item = await inContext(() => items.next())) {
              hasEnded = item.done === true;
              if (item.done === true) return;
              yield item.value;
            }
          } catch (error) {
            hasEnded = true;
            throw error;
          } finally {
            if (!hasEnded) await inContext(async () => items.return?.());
          }
        },
    });
    return { ...calls, close, [Symbol.asyncDispose]: close };
  };
}
