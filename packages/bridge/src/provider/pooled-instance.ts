// SPDX-License-Identifier: Apache-2.0
import { mapCalls, ProviderError, type Provider } from "@tenon/schema";
import { BridgeError } from "../error.ts";

/** Opens and configures an instance. The signal is aborted at the time limit. */
export type OpenInstance = (signal: AbortSignal) => Promise<Provider>;

/** An event of an instance. */
export type InstanceEvent =
  | { readonly kind: "opened" }
  /** The instance could not be opened or configured. */
  | { readonly kind: "failed"; readonly error: unknown }
  /** The instance ended unexpectedly. */
  | { readonly kind: "lost"; readonly error: unknown }
  | { readonly kind: "closed" };

/** Options of a {@link PooledInstance}, from its pool. */
export interface InstanceSettings {
  readonly idleMs: number;
  readonly quietMs: number;
  readonly openTimeoutMs: number;
  readonly maxBackoffMs: number;
  /** Waits for a slot of the pool. */
  readonly enter: () => Promise<void>;
  /** Releases the slot. */
  readonly leave: () => void;
  /** Called when the instance has become quiet. */
  readonly onQuiet: () => void;
  readonly onEvent: (event: InstanceEvent) => void;
}

/** Time after which an open instance counts as stable, so that its end does not add to the failures, in milliseconds. */
const stableMs = 60_000;
const firstBackoffMs = 1_000;

/** The instances of one key, one after the other. Only the last one gets calls of new users; earlier ones may still be closing. */
export class PooledInstance {
  readonly #settings: InstanceSettings;
  #opening: Promise<OpenedInstance> | undefined;
  #current: OpenedInstance | undefined;
  /** All instances that are not closed yet. */
  readonly #open = new Set<OpenedInstance>();
  #isRetired = false;
  #failures = 0;
  #retryAt = 0;
  #lastError: unknown;

  constructor(settings: InstanceSettings) {
    this.#settings = settings;
  }

  /** Number of calls in flight, including those of instances that are closing. */
  get calls(): number {
    return this.#open.values().reduce((sum, { calls }) => sum + calls, 0);
  }

  /** The time of the last use, as `performance.now()`; undefined if the instance is in use, and if there is none. */
  get quietSince(): number | undefined {
    return this.#current?.isQuiet ? this.#current.usedAt : undefined;
  }

  /** Returns the open instance, or opens one. */
  async provider(open: OpenInstance, signal: AbortSignal | undefined): Promise<Provider> {
    signal?.throwIfAborted();
    const opened = this.#current ?? (await untilAborted(this.#instance(open), signal));
    opened.touch();
    return opened.provider;
  }

  /** Closes all instances: when they are quiet or, with `isLast`, after the calls in flight. Resolves when all are closed. */
  async retire(isLast: boolean): Promise<void> {
    this.#isRetired = true;
    if (isLast) for (const opened of this.#open) void opened.endAfterCalls();
    await this.#opening?.catch(() => undefined);
    this.#current = undefined;
    await Promise.all([...this.#open].map((opened) => (isLast ? opened.endAfterCalls() : opened.endWhenQuiet())));
  }

  /** Closes the instance if it is quiet. */
  closeQuiet(): void {
    const opened = this.#current;
    if (!opened?.isQuiet) return;
    this.#current = undefined;
    this.#forgetFailures(opened);
    void opened.endAfterCalls();
  }

  #instance(open: OpenInstance): Promise<OpenedInstance> {
    if (this.#opening) return this.#opening;
    if (performance.now() < this.#retryAt) return Promise.reject(this.#lastError);
    const opening = this.#openNow(open);
    this.#opening = opening;
    const settled = (): void => void (this.#opening = undefined);
    opening.then(settled, settled);
    return opening;
  }

  async #openNow(open: OpenInstance): Promise<OpenedInstance> {
    const { openTimeoutMs, enter, leave, onEvent } = this.#settings;
    await enter();
    let provider: Provider;
    try {
      if (this.#isRetired) throw new BridgeError("PROVIDER_FAILED", "the provider is being stopped");
      const limit = AbortSignal.timeout(openTimeoutMs);
      const opening = open(limit);
      // A provider that is opened only after the time limit is closed again.
      opening.then((late) => (limit.aborted ? late.close() : undefined)).catch(() => undefined);
      provider = await untilAborted(opening, limit);
    } catch (error) {
      leave();
      const reported = (error as Error).name === "TimeoutError" ? timedOut(openTimeoutMs, error) : error;
      this.#fail(reported);
      onEvent({ kind: "failed", error: reported });
      throw reported;
    }
    const opened = new OpenedInstance(provider, this.#settings, {
      onLost: (error) => this.#lose(opened, error),
      onIdle: () => this.closeQuiet(),
      onClosed: () => {
        this.#open.delete(opened);
        leave();
        onEvent({ kind: "closed" });
      },
    });
    this.#current = opened;
    this.#open.add(opened);
    onEvent({ kind: "opened" });
    return opened;
  }

  /** Handles the end of an instance. The next user gets a new one. */
  #lose(opened: OpenedInstance, error: unknown): void {
    if (this.#current !== opened) return;
    this.#current = undefined;
    this.#forgetFailures(opened);
    this.#fail(error);
    this.#settings.onEvent({ kind: "lost", error });
    void opened.endAfterCalls();
  }

  #fail(error: unknown): void {
    this.#lastError = error;
    this.#failures += 1;
    const delayMs = this.#failures === 1 ? 0 : Math.min(firstBackoffMs * 2 ** (this.#failures - 2), this.#settings.maxBackoffMs);
    this.#retryAt = performance.now() + delayMs;
  }

  #forgetFailures({ openedAt }: OpenedInstance): void {
    if (performance.now() - openedAt >= stableMs) this.#failures = 0;
  }
}

/** Callbacks of an open instance. */
interface InstanceListener {
  readonly onLost: (error: unknown) => void;
  /** Called after the idle time without a call. */
  readonly onIdle: () => void;
  readonly onClosed: () => void;
}

/** One open instance and its calls in flight. */
class OpenedInstance {
  /** The provider. Its calls are counted. */
  readonly provider: Provider;
  readonly openedAt = performance.now();
  calls = 0;
  usedAt = performance.now();
  readonly #inner: Provider;
  readonly #settings: InstanceSettings;
  readonly #listener: InstanceListener;
  readonly #closed = Promise.withResolvers<void>();
  #ending: "no" | "when quiet" | "after calls" = "no";
  #timer: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(provider: Provider, settings: InstanceSettings, listener: InstanceListener) {
    this.#inner = provider;
    this.#settings = settings;
    this.#listener = listener;
    this.provider = this.#counted();
    this.#wait();
  }

  /** Whether no call is in flight and none was made recently. A user of the provider makes its calls shortly after each other. */
  get isQuiet(): boolean {
    return this.calls === 0 && performance.now() - this.usedAt >= this.#settings.quietMs;
  }

  /** Records a use that is about to make calls. */
  touch(): void {
    this.usedAt = performance.now();
  }

  /** Closes the provider when it is quiet. */
  async endWhenQuiet(): Promise<void> {
    if (this.#ending === "no") this.#ending = "when quiet";
    this.#wait();
    await this.#closed.promise;
  }

  /** Closes the provider after the calls in flight. */
  async endAfterCalls(): Promise<void> {
    this.#ending = "after calls";
    if (this.calls === 0) void this.#close();
    await this.#closed.promise;
  }

  #begin(): void {
    this.calls += 1;
  }

  #end(): void {
    this.calls -= 1;
    this.usedAt = performance.now();
    if (this.calls === 0 && this.#ending === "after calls") void this.#close();
  }

  /** Waits until the provider may be quiet or idle, and checks that. */
  #wait(): void {
    const { quietMs, idleMs, onQuiet } = this.#settings;
    clearTimeout(this.#timer);
    if (this.#isClosing) return;
    const limit = this.#ending === "no" ? idleMs : quietMs;
    const remaining = this.calls > 0 ? quietMs : this.usedAt + limit - performance.now();
    if (remaining > 0) {
      this.#timer = setTimeout(() => this.#wait(), Math.min(remaining + 1, Math.max(quietMs, 1) + 1)).unref();
      if (this.isQuiet) onQuiet();
    } else if (this.#ending === "no") this.#listener.onIdle();
    else void this.#close();
  }

  async #close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    clearTimeout(this.#timer);
    try {
      await this.#inner.close();
    } catch {
      // The provider has ended in any case.
    }
    this.#listener.onClosed();
    this.#closed.resolve();
  }

  /** Counts calls. Detects the end of the provider by the errors of its calls. */
  #counted(): Provider {
    const inner = this.#inner;
    const notice = (error: unknown): void => {
      if (error instanceof ProviderError && (error.code === "UNAVAILABLE" || error.code === "CLOSED")) this.#listener.onLost(error);
    };
    const succeeded = (): void => this.#end();
    const failed = (error: unknown): void => {
      this.#end();
      notice(error);
    };
    const begin = (): void => this.#begin();
    const close = (): Promise<void> => inner.close();
    return {
      ...mapCalls(inner, {
        unary: (call) => (request, options) => {
          begin();
          const response = call(request, options);
          response.then(succeeded, failed);
          return response;
        },
        streaming: (call) =>
          async function* (request, options) {
            begin();
            let error: unknown;
            try {
              yield* call(request, options);
            } catch (thrown) {
              error = thrown;
              throw thrown;
            } finally {
              failed(error);
            }
          },
      }),
      close,
      [Symbol.asyncDispose]: close,
    };
  }
}

function timedOut(openTimeoutMs: number, cause: unknown): BridgeError {
  return new BridgeError("PROVIDER_FAILED", `the provider was not ready within ${openTimeoutMs} ms`, { cause });
}

/** Waits for a result. Rejects with the reason of the signal if that is aborted first. */
async function untilAborted<Result>(result: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return await result;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([result, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
    promise.catch(() => undefined);
  }
}
