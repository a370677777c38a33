// SPDX-License-Identifier: Apache-2.0
import type { ApiClient } from "../client/api-client.ts";
import type { Selection } from "../client/api-options.ts";
import { ApiError, isExpired } from "../client/api-error.ts";
import type { ApiResource } from "../client/api-resource.ts";
import { Backoff, type BackoffSettings } from "../client/backoff.ts";
import type { KubernetesObject } from "../client/kubernetes-object.ts";
import type { WatchEvent } from "../client/watch-events.ts";

/** Receives the objects that a reflector lists and watches. */
export interface ReflectorTarget<Item extends KubernetesObject> {
  /** Replaces all objects, after a list. */
  replace(objects: readonly Item[]): void;
  /** Adds or changes an object. */
  put(object: Item): void;
  /** Removes an object. */
  delete(object: Item): void;
}

/** A step of a reflector, for logs, metrics and tests. */
export type ReflectorStep =
  | { readonly kind: "list"; readonly by: "watch" | "pages"; readonly objects: number }
  | { readonly kind: "watch"; readonly resourceVersion: string }
  | { readonly kind: "expired" }
  | { readonly kind: "failed"; readonly error: unknown };

/** Options of a {@link Reflector}. */
export interface ReflectorSettings extends Selection {
  /** Number of objects in a page, if objects are listed in pages. Default: 500. */
  readonly pageSize?: number;
  /** Whether objects are first listed by a watch, as a stream that the server need not hold in memory. Default: true. */
  readonly watchList?: boolean;
  /** Delays after failures. */
  readonly backoff?: BackoffSettings;
  /** Time after which the server ends a watch, in seconds, plus a random part of up to half of it. Default: 300. */
  readonly watchSeconds?: number;
  /** Time without an event or bookmark after which a watch counts as broken, in milliseconds. Default: 150,000. */
  readonly idleTimeoutMs?: number;
  /** Called after each step. */
  readonly onStep?: (step: ReflectorStep) => void;
}

/** A watch that ends sooner than this, without an event, counts as a failure, so that a reflector never reconnects in a tight loop. Milliseconds. */
const shortWatchMs = 1_000;

/** Time without failures after which the delays start again with the first one, in milliseconds. */
const resetAfterMs = 120_000;

/**
 * Mirrors the objects of one kind: lists them, then watches for changes. It retries forever. After a failure, it resumes the watch at the last
 * version; if the server no longer has that version, it lists the objects again.
 */
export class Reflector<Item extends KubernetesObject> {
  readonly #client: ApiClient;
  readonly #resource: ApiResource;
  readonly #target: ReflectorTarget<Item>;
  readonly #settings: ReflectorSettings;
  readonly #backoff: Backoff;
  #usesWatchList: boolean;
  /** The version to which the target is up to date. Undefined before the first list, and after the version has expired. */
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
    } else if (this.#resourceVersion === undefined && this.#usesWatchList && isRejectedRequest(error)) {
      // API servers before 1.34 reject the parameters of such a watch unless a feature gate is set.
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
        // The version of the first page has expired. A single page with all objects cannot expire.
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
    if (events === 0 && performance.now() - started < shortWatchMs) throw new Error("the watch ended immediately, without an event");
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

function isRejectedRequest(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 403 || error.status === 422);
}
