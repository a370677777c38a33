// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "@tenon/plugin-host";
import { replaying } from "@tenon/plugin-host/record";
import { type AnyStreamingCall, type AnyUnaryCall, type CallName, createCalls, type Provider, ProviderError } from "@tenon/schema";
import { TestingError } from "../error.ts";

/**
 * The instances of a recorded provider. An instance gets the responses of the recorded instance with its number; if that lacks a call, those of the others,
 * because instances that are opened at the same time may be so in another order.
 */
export class ReplayedInstances {
  readonly #folder: string;
  readonly #recorded: readonly Provider[];
  /** What the author can do about a call that was not recorded. */
  readonly #advice: string;
  #count = 0;

  constructor(folder: string, files: readonly string[], advice: string) {
    this.#folder = folder;
    this.#recorded = files.map((file) => replaying(file));
    this.#advice = advice;
  }

  open(): Provider {
    const index = this.#count++;
    const own = this.#recorded.slice(index, index + 1);
    const order = [...own, ...this.#recorded.filter((one) => one !== own[0])];
    let isClosed = false;
    const assertOpen = (): void => {
      if (isClosed) throw new ProviderError("CLOSED", `the replay of ${this.#folder} was closed`, { requestSent: false });
    };
    const close = async (): Promise<void> => {
      isClosed = true;
    };
    const calls = createCalls({
      unary: (method) => async (request, options) => {
        assertOpen();
        return this.#first(method, order, (one) => (one[method] as unknown as AnyUnaryCall)(request, options));
      },
      streaming: (method) => {
        const stream = async function* (this: void, first: Promise<readonly [AsyncIterator<object>, IteratorResult<object>]>) {
          const [items, head] = await first;
          let item = head;
          try {
            for (; item.done !== true; item = await items.next()) yield item.value;
          } finally {
            if (item.done !== true) await items.return?.();
          }
        };
        // Whether a stream was recorded shows in its first element.
        return (request, options) =>
          stream(
            this.#first(method, order, async (one) => {
              assertOpen();
              const items = (one[method] as unknown as AnyStreamingCall)(request, options)[Symbol.asyncIterator]();
              return [items, await items.next()] as const;
            }),
          );
      },
    });
    return { ...calls, close, [Symbol.asyncDispose]: close };
  }

  /** The result of the first instance that has the call. @throws TestingError `CALL_NOT_RECORDED` */
  async #first<T>(method: CallName, order: readonly Provider[], call: (provider: Provider) => Promise<T>): Promise<T> {
    let nearest: PluginHostError | undefined;
    for (const provider of order) {
      try {
        return await call(provider);
      } catch (error) {
        if (!(error instanceof PluginHostError) || error.code !== "REPLAY_MISMATCH") throw error;
        if (nearest === undefined || (nearest.difference === undefined && error.difference !== undefined)) nearest = error;
      }
    }
    const reason = nearest?.message ?? `${method} was not recorded`;
    throw new TestingError("CALL_NOT_RECORDED", `${reason}. If the call is right, ${this.#advice}`, { cause: nearest });
  }
}
