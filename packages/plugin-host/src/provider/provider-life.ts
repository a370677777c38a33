// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from "node:timers/promises";
import { ProviderError } from "@tenon/schema";
import { harmless } from "../output/redact.ts";

/** Gives a call up that is under way. */
export type GiveUp = (error: ProviderError) => void;

/** How long a call that failed may wait to learn that its provider is going down, in milliseconds. */
const suspicionMs = 100;

/**
 * Whether a provider can still be called, and every call that must end when it no longer can. A provider lives, goes down
 * (something is wrong, but what is not known yet) and has ended.
 */
export class ProviderLife {
  readonly #inFlight = new Set<GiveUp>();
  readonly #goingDown = Promise.withResolvers<void>();
  readonly #end = Promise.withResolvers<ProviderError>();
  #down = false;
  #error: ProviderError | undefined;

  /** Why nothing can be called any more; undefined as long as it can. */
  get error(): ProviderError | undefined {
    return this.#error;
  }

  /** Calls under way. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Adds a call; remove it when it is done. */
  add(call: GiveUp): void {
    this.#inFlight.add(call);
  }

  remove(call: GiveUp): void {
    this.#inFlight.delete(call);
  }

  /** The connection or the process is gone. Calls that fail now wait for {@link end}, which has to follow. */
  goDown(): void {
    this.#down = true;
    this.#goingDown.resolve();
  }

  /** Ends every call under way and every later one with `error`. Only the first time counts. */
  end(error: ProviderError): void {
    if (this.#error !== undefined) return;
    this.#error = error;
    this.goDown();
    this.#end.resolve(error);
    for (const giveUp of this.#inFlight) giveUp(error);
    this.#inFlight.clear();
  }

  /**
   * The better reason for a call's error. A provider that dies breaks its calls in ways that say nothing, some moments before
   * the reason is known. What a provider words itself does nothing to a terminal.
   */
  async explain(failure: unknown): Promise<unknown> {
    if (!(failure instanceof ProviderError)) return failure;
    if (failure.code === "UNAVAILABLE" || failure.code === "INTERNAL" || failure.code === "CANCELLED") {
      if (!this.#down) await Promise.race([this.#goingDown.promise, sleep(suspicionMs)]);
      if (this.#down) return await this.#end.promise;
    }
    const message = harmless(failure.message);
    return message === failure.message ? failure : new ProviderError(failure.code, message, { cause: failure.cause });
  }
}
