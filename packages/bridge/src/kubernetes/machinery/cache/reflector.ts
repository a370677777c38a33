// SPDX-License-Identifier: Apache-2.0
import type { ApiClient } from "../client/api-client.ts";
import type { Selection } from "../client/api-options.ts";
import { ApiError, isExpired } from "../client/api-error.ts";
import type { ApiResource } from "../client/api-resource.ts";
import { Backoff, type BackoffSettings } from "../client/backoff.ts";
import type { KubernetesObject } from "../client/kubernetes-object.ts";
import type { WatchEvent } from "../client/watch-events.ts";

/** Where a reflector puts what it sees. */
export interface ReflectorTarget<Item extends KubernetesObject> {
  /** Replaces everything, after a list. */
  replace(objects: readonly Item[]): void;
  put(object: Item): void;
  delete(object: Item): void;
}

/** Step of a reflector, for logs, metrics and tests. */
export type ReflectorStep =
  | { readonly kind: "list"; readonly by: "watch" | "pages"; readonly objects: number }
  | { readonly kind: "watch"; readonly resourceVersion: string }
  | { readonly kind: "expired" }
  | { readonly kind: "failed"; readonly error: unknown };

/** Settings of a {@link Reflector}. */
export interface ReflectorSettings extends Selection {
  /** Objects in a page where the list is read in pages. Default: 500. */
  readonly pageSize?: number;
  /** Whether the first list comes through a watch, as one stream that the server does not hold in memory. Default: true. */
  readonly watchList?: boolean;
  /** Delays after failures. */
  readonly backoff?: BackoffSettings;
  /** Time after which the server ends a watch, in seconds; up to half of it is added at random. Default: 300. */
  readonly watchSeconds?: number;
  /** Time without an event or bookmark after which a watch counts as broken, in milliseconds. Default: 150,000. */
  readonly idleTimeoutMs?: number;
  readonly onStep?: (step: ReflectorStep) => void;
}

/** Watches shorter than this without an event count as failures, in milliseconds, so that a reflector never reconnects in a tight loop. */
const shortWatchMs = 1_000;

/** Time after the last failure from which the next delay is the first again, in milliseconds. */
const resetAfterMs = 120_000;

/**
 * Mirrors the objects of one kind: lists them, and watches from there. It retries without a limit: after any failure it continues from where it
 * was, and after the server has dropped its version it lists again.
 */
export class Reflector<Item extends KubernetesObject> {
  readonly #client: ApiClient;
  readonly #resource: ApiResource;
  readonly #target: ReflectorTarget<Item>;
  readonly #settings: ReflectorSettings;
  readonly #backoff: Backoff;
  #usesWatchList: boolean;
  /** Version up to which the target is complete. Undefined before the first list and after an expired version. */
  #resourceVersion: string | undefined;
  #failedAt = 0;

  constructor(client: ApiClient, resource: ApiResource, target: ReflectorTarget<Item>, settings: ReflectorSettings = {}) {
    this.#client = client;
    this.#resource = resource;
    this.#target = target;
    this.#settings = settings;
    this.#usesWatchList = settings.watchList ?? true;
    this.#backoff = new Backoff(settings.backoff);
  }

  /** Mirrors until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.#resourceVersion === undefined && !this.#usesWatchList) await this.#listPages(signal);
        await this.#watch(signal);
      } catch (error) {
        if (signal.aborted) return;
        await this.#handleFailure(error, signal);
      }
    }
  }

  async #handleFailure(error: unknown, signal: AbortSignal): Promise<void> {
    if (isExpired(error)) {
      this.#resourceVersion = undefined;
      this.#report({ kind: "expired" });
    } else if (this.#resourceVersion === undefined && this.#usesWatchList && isRefusedRequest(error)) {
      // Servers before 1.34 refuse the parameters unless a feature gate is set.
      this.#usesWatchList = false;
      return;
    } else {
      this.#report({ kind: "failed", error });
    }
    const now = performance.now();
    if (now - this.#failedAt > resetAfterMs) this.#backoff.reset();
    this.#failedAt = now;
    await this.#backoff.waitOrAbort(signal);
  }

  async #listPages(signal: AbortSignal): Promise<void> {
    const { pageSize = 500, namespace, labelSelector, fieldSelector } = this.#settings;
    const selection = { namespace, labelSelector, fieldSelector, signal };
    const objects: Item[] = [];
    let token: string | undefined;
    let limit: { readonly limit?: number } = { limit: pageSize };
    for (;;) {
      try {
        const page = await this.#client.list<Item>(this.#resource, { ...selection, ...limit, continue: token });
        objects.push(...page.items);
        token = page.metadata.continue;
        if (!token) {
          this.#complete(objects, page.metadata.resourceVersion ?? "", "pages");
          return;
        }
      } catch (error) {
        // The version of the first page is not available any more: one page with everything cannot expire.
        if (!isExpired(error) || token === undefined) throw error;
        objects.length = 0;
        token = undefined;
        limit = {};
      }
    }
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { namespace, labelSelector, fieldSelector, watchSeconds = 300, idleTimeoutMs = 150_000 } = this.#settings;
    const resourceVersion = this.#resourceVersion;
    const initial: Item[] | undefined = resourceVersion === undefined ? [] : undefined;
    if (resourceVersion !== undefined) this.#report({ kind: "watch", resourceVersion });
    const stream = this.#client.watch<Item>(this.#resource, {
      namespace,
      labelSelector,
      fieldSelector,
      signal,
      resourceVersion,
      sendInitialEvents: initial !== undefined,
      timeoutSeconds: Math.ceil(watchSeconds * (1 + Math.random() / 2)),
      idleTimeoutMs,
    });
    const started = performance.now();
    let events = 0;
    let pending = initial;
    for await (const event of stream) {
      events += 1;
      if (pending === undefined) {
        this.#handle(event);
      } else if (event.type === "BOOKMARK") {
        if (event.object.metadata.annotations?.["k8s.io/initial-events-end"] !== "true") continue;
        this.#complete(pending, event.object.metadata.resourceVersion ?? "", "watch");
        pending = undefined;
      } else if (event.type !== "DELETED") {
        pending.push(event.object);
      }
    }
    if (signal.aborted) return;
    if (events === 0 && performance.now() - started < shortWatchMs) throw new Error("the watch ended at once, without an event");
    if (pending !== undefined) throw new Error("the watch ended before it had sent all objects");
  }

  #handle({ type, object }: WatchEvent<Item>): void {
    if (type === "DELETED") this.#target.delete(object);
    else if (type !== "BOOKMARK") this.#target.put(object);
    this.#resourceVersion = object.metadata.resourceVersion;
  }

  #complete(objects: readonly Item[], resourceVersion: string, by: "watch" | "pages"): void {
    this.#target.replace(objects);
    this.#resourceVersion = resourceVersion;
    this.#report({ kind: "list", by, objects: objects.length });
    this.#report({ kind: "watch", resourceVersion });
  }

  #report(step: ReflectorStep): void {
    this.#settings.onStep?.(step);
  }
}

function isRefusedRequest(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 403 || error.status === 422);
}
