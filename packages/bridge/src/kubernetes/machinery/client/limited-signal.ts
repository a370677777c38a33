// SPDX-License-Identifier: Apache-2.0

/** Longest delay of a timer, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * A signal that is aborted at a time limit, or with the first of other signals. Dispose of it when the work has ended: then it leaves neither a timer
 * nor a listener behind. Signals of `AbortSignal.any` and `AbortSignal.timeout` stay registered until they are collected as garbage, which for
 * thousands of requests a second is work of its own.
 */
export class LimitedSignal implements Disposable {
  readonly #controller = new AbortController();
  readonly #sources: readonly AbortSignal[];
  readonly #timer: NodeJS.Timeout;

  constructor(timeoutMs: number, sources: readonly AbortSignal[]) {
    this.#sources = sources;
    for (const source of sources) {
      if (source.aborted) this.#controller.abort(source.reason);
      else source.addEventListener("abort", this.#follow);
    }
    this.#timer = setTimeout(() => this.#end(), Math.min(timeoutMs, maxTimerMs)).unref();
  }

  /** The signal. Its reason is that of the other signal, or a `TimeoutError` as that of `AbortSignal.timeout`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    for (const source of this.#sources) source.removeEventListener("abort", this.#follow);
  }

  #end(): void {
    this.#controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  }

  readonly #follow = (event: Event): void => {
    this.#controller.abort((event.target as AbortSignal).reason);
  };
}

/** Whether a signal of a {@link LimitedSignal} was aborted at its time limit. */
export function hasTimedOut({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === "TimeoutError";
}
