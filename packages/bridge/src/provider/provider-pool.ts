// SPDX-License-Identifier: Apache-2.0
import type { Provider } from "@tenon/schema";
import { BridgeError } from "../error.ts";
import { PooledInstance, type InstanceEvent, type OpenInstance } from "./pooled-instance.ts";

/** Limits of a {@link ProviderPool}. */
export interface ProviderPoolSettings {
  /** Maximum number of instances, including those that are closing. Further configurations wait until an instance is quiet. Default: 20. */
  readonly maxInstances?: number;
  /** Time without a call after which an instance is closed, in milliseconds. Default: 600,000. */
  readonly idleMs?: number;
  /**
   * Time without a call after which an instance is quiet, in milliseconds. A retired instance is closed when it is quiet. Default: 5,000.
   */
  readonly quietMs?: number;
  /** Time limit of opening an instance, in milliseconds. Default: 120,000. */
  readonly openTimeoutMs?: number;
  /** Maximum delay between two attempts after several failures, in milliseconds. Default: 60,000. */
  readonly maxBackoffMs?: number;
  readonly onEvent?: (event: PoolEvent) => void;
}

/** An event of the instance of a configuration. */
export type PoolEvent = InstanceEvent & {
  /** Key of the configuration. */
  readonly key: string;
};

/**
 * Configured instances of providers, one for each key. An instance is opened when it is first needed, opened again after it has ended unexpectedly,
 * and closed when it is idle.
 *
 * After the first failure, the next attempt is made immediately. After further failures, users get the last error until the next attempt is due.
 */
export class ProviderPool {
  readonly #settings: Required<Omit<ProviderPoolSettings, "onEvent">> & Pick<ProviderPoolSettings, "onEvent">;
  readonly #instances = new Map<string, PooledInstance>();
  /** Retired instances, which get no more users, until they are closed. */
  readonly #retired = new Map<PooledInstance, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #used = 0;
  #closing: Promise<void> | undefined;

  constructor(settings: ProviderPoolSettings = {}) {
    this.#settings = { maxInstances: 20, idleMs: 600_000, quietMs: 5_000, openTimeoutMs: 120_000, maxBackoffMs: 60_000, ...settings };
  }

  /** Number of instances that are being opened, open, or closing. */
  get size(): number {
    return this.#used;
  }

  /** Number of calls in flight. */
  get calls(): number {
    return [...this.#instances.values(), ...this.#retired.keys()].reduce((sum, { calls }) => sum + calls, 0);
  }

  /**
   * Returns the instance of a key: the same object until the instance ends. Use it immediately, because an instance without calls may be closed.
   *
   * @param open - Opens and configures an instance. Called only if there is none.
   * @throws The error of `open`, or its last error if the next attempt is not due yet; BridgeError `PROVIDER_FAILED` if the pool is closed; the reason
   *   of the signal.
   */
  async provider(key: string, open: OpenInstance, signal?: AbortSignal): Promise<Provider> {
    if (this.#closing) throw new BridgeError("PROVIDER_FAILED", "the providers are being stopped");
    let instance = this.#instances.get(key);
    if (instance === undefined) {
      instance = this.#instance(key);
      this.#instances.set(key, instance);
    }
    return await instance.provider(open, signal);
  }

  /** Closes the instance of a key when it is quiet. A later user of the key gets a new one. */
  retire(key: string): void {
    this.#retire(key, false);
  }

  /** Closes all instances, each after its calls in flight. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      for (const key of this.#instances.keys()) this.#retire(key, true);
      await Promise.all([...this.#retired.keys()].map((instance) => instance.retire(true)));
    })();
    return this.#closing;
  }

  #retire(key: string, isLast: boolean): void {
    const instance = this.#instances.get(key);
    if (instance === undefined) return;
    this.#instances.delete(key);
    const retired = instance.retire(isLast).finally(() => this.#retired.delete(instance));
    this.#retired.set(instance, retired);
  }

  #instance(key: string): PooledInstance {
    const { onEvent } = this.#settings;
    return new PooledInstance({
      ...this.#settings,
      enter: () => this.#enter(),
      leave: () => this.#leave(),
      onQuiet: () => this.#makeRoom(),
      onEvent: (event) => onEvent?.({ ...event, key }),
    });
  }

  /** Waits for a slot. Where all are taken, the instance that has been quiet for the longest time is closed. */
  async #enter(): Promise<void> {
    while (this.#used >= this.#settings.maxInstances) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      this.#makeRoom();
      await promise;
    }
    this.#used += 1;
  }

  #leave(): void {
    this.#used -= 1;
    this.#waiting.shift()?.();
  }

  #makeRoom(): void {
    if (this.#waiting.length === 0) return;
    const quiet = [...this.#instances.values()].filter(({ quietSince }) => quietSince !== undefined);
    const [longest] = quiet.toSorted((a, b) => a.quietSince! - b.quietSince!);
    longest?.closeQuiet();
  }
}
