// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from "node:timers/promises";
import { TurnoverSet } from "@tenon/protocol/turnover";
import { ProviderError } from "@tenon/schema";
import { withoutControlCharacters } from "../terminal-text.ts";

/** Cancels a call that is in flight. */
export type CancelCall = (error: ProviderError) => void;

/** Time that a failed call waits for a report that its provider is ending, in milliseconds. */
const endDetectionMs = 100;

/**
 * The lifecycle of a provider, and its calls in flight, which must end with it. Its states are running, ending (the connection or process
 * has failed, but the reason is not known yet), and ended.
 */
export class ProviderLife {
  readonly #inFlight = new TurnoverSet<CancelCall>();
  readonly #ending = Promise.withResolvers<void>();
  readonly #end = Promise.withResolvers<ProviderError>();
  #isEnding = false;
  #error: ProviderError | undefined;

  /** The reason why the provider cannot be called; undefined while it is running. */
  get error(): ProviderError | undefined {
    return this.#error;
  }

  /** Number of calls in flight. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Adds a call in flight. Remove it when it is done. */
  add(call: CancelCall): void {
    this.#inFlight.add(call);
  }

  remove(call: CancelCall): void {
    this.#inFlight.delete(call);
  }

  /** Reports that the connection or process has ended. Calls that fail now wait for {@link end}, which must follow. */
  beginEnd(): void {
    this.#isEnding = true;
    this.#ending.resolve();
  }

  /** Ends every call in flight and every later one with `error`. Later calls of this method do nothing. */
  end(error: ProviderError): void {
    if (this.#error !== undefined) return;
    this.#error = error;
    this.beginEnd();
    this.#end.resolve(error);
    for (const cancel of this.#inFlight) cancel(error);
    this.#inFlight.clear();
  }

  /**
   * Returns the error to report for a failed call. When a provider ends, its calls fail with unspecific errors shortly before the reason is
   * known. Control characters in the provider's own message are removed.
   */
  async explain(failure: unknown): Promise<unknown> {
    if (!(failure instanceof ProviderError)) return failure;
    if (failure.code === "UNAVAILABLE" || failure.code === "INTERNAL" || failure.code === "CANCELLED") {
      if (!this.#isEnding) await Promise.race([this.#ending.promise, sleep(endDetectionMs)]);
      if (this.#isEnding) return failure.requestSent ? await this.#end.promise : (await this.#end.promise).asUnsent();
    }
    const message = withoutControlCharacters(failure.message);
    return message === failure.message
      ? failure
      : new ProviderError(failure.code, message, { cause: failure.cause, requestSent: failure.requestSent });
  }
}
