// SPDX-License-Identifier: Apache-2.0
import type { CallOptions } from "@tenon/schema";

/**
 * Cancellation of a call, by its caller or by a stop of the provider. The signal is created when it is first read; few handlers read it.
 */
export class CallEnding {
  readonly #caller: CallOptions;
  readonly #stop: AbortSignal;
  #signal: AbortSignal | undefined;

  constructor(caller: CallOptions, stop: AbortSignal) {
    this.#caller = caller;
    this.#stop = stop;
  }

  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const { signal } = this.#caller;
      this.#signal = signal === undefined ? this.#stop : AbortSignal.any([signal, this.#stop]);
    }
    return this.#signal;
  }

  /** @throws the abort reason, if the call is cancelled. */
  throwIfAborted(): void {
    const caller = this.#caller;
    const isCancelled = caller.isAborted === undefined ? caller.signal?.aborted === true : caller.isAborted();
    if (isCancelled || this.#stop.aborted) this.signal.throwIfAborted();
  }
}
