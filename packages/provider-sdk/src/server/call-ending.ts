// SPDX-License-Identifier: Apache-2.0
import type { CallOptions } from "@tenon/schema";

/** What ends a call before its time: its caller, or the end of the run. The signal for it is made when it is looked at; few handlers do. */
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

  /** @throws what the signal is aborted with, if it is. */
  throwIfAborted(): void {
    const isAborted = this.#caller.isAborted === undefined || this.#caller.isAborted();
    if (isAborted || this.#stop.aborted) this.signal.throwIfAborted();
  }
}
