// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from "node:crypto";
import type { ApiClient } from "../client/api-client.ts";
import { isNotFound } from "../client/api-error.ts";
import { events } from "../client/api-resource.ts";
import type { KubernetesObject } from "../client/kubernetes-object.ts";
import { microTime } from "../lease/lease-record.ts";
import { TokenBucket } from "../queue/token-bucket.ts";

/** An event about an object. */
export interface ObjectEvent {
  readonly type: "Normal" | "Warning";
  /** The reason, as one word in Pascal case, such as `CreatedExternalResource`. */
  readonly reason: string;
  /** The action of the controller, as one word in Pascal case. Default: `Reconcile`. */
  readonly action?: string;
  /** A text for people. Truncated to 1,024 bytes. */
  readonly note: string;
}

/** Options of an {@link EventRecorder}. */
export interface EventRecorderSettings {
  /** Name of the controller, such as `tenon.dev/bridge`. */
  readonly controller: string;
  /** Name of the replica. */
  readonly instance: string;
  /** Time without a repetition after which a series ends, in milliseconds. The count of a longer series is written at this interval. Default: 360,000. */
  readonly seriesMs?: number;
  /** Number of events about one object that are written without a rate limit. After these, one is written every five minutes. Default: 25. */
  readonly burst?: number;
  /** Namespace of events about cluster-scoped objects. Default: `default`. */
  readonly clusterNamespace?: string;
  /** Maximum number of pending events. Further events are dropped. Default: 1,000. */
  readonly maxPending?: number;
  /** Called after an event could not be written. */
  readonly onError?: (error: unknown) => void;
}

interface Series {
  /** Name and namespace of the event; absent until it is written. */
  reference: { readonly namespace: string; readonly name: string } | undefined;
  /** Number of occurrences. */
  count: number;
  lastAt: string;
  lastMs: number;
  /** The count in the API server. */
  written: number;
  writtenMs: number;
  /** Whether a write of the count is pending or in progress. */
  isQueued: boolean;
}

/** Maximum size of a note in the API server, in bytes. */
const maxNoteBytes = 1024;

/**
 * Records events about objects. Recording does not wait and does not fail, because events are written in the background.
 *
 * Equal events are one object of the API, with a count. The count is written after the second occurrence, then every few minutes.
 */
export class EventRecorder {
  readonly #client: ApiClient;
  readonly #settings: EventRecorderSettings;
  readonly #seriesMs: number;
  readonly #series = new Map<string, Series>();
  readonly #limits = new Map<string, TokenBucket>();
  readonly #sweep: NodeJS.Timeout;
  #pending = 0;
  #dropped = 0;
  #tail: Promise<void> = Promise.resolve();

  constructor(client: ApiClient, settings: EventRecorderSettings) {
    this.#client = client;
    this.#settings = settings;
    this.#seriesMs = settings.seriesMs ?? 360_000;
    this.#sweep = setInterval(() => this.#endSeries(false), this.#seriesMs / 2).unref();
  }

  /** Number of dropped events: those over a limit. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Records an event. */
  record(about: KubernetesObject, event: ObjectEvent): void {
    const key = JSON.stringify([about.metadata.uid, event.type, event.reason, event.action, event.note]);
    const now = performance.now();
    const known = this.#series.get(key);
    if (known && now - known.lastMs < this.#seriesMs) {
      known.count += 1;
      known.lastAt = microTime();
      known.lastMs = now;
      if (known.isQueued || (known.written > 1 && now - known.writtenMs < this.#seriesMs)) return;
      known.isQueued = true;
      this.#enqueue(() => this.#writeCount(known));
      return;
    }
    if (!this.#allows(about) || this.#pending >= (this.#settings.maxPending ?? 1_000)) {
      this.#dropped += 1;
      return;
    }
    const series: Series = {
      reference: undefined,
      count: 1,
      lastAt: microTime(),
      lastMs: now,
      written: 0,
      writtenMs: now,
      isQueued: true,
    };
    this.#series.set(key, series);
    this.#enqueue(async () => {
      try {
        await this.#write(about, event, series);
      } catch (error) {
        this.#series.delete(key);
        throw error;
      }
    });
  }

  /** Writes pending events. After it, nothing may be recorded. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    this.#endSeries(true);
    await this.#tail;
  }

  #allows({ metadata: { uid = "" } }: KubernetesObject): boolean {
    let limit = this.#limits.get(uid);
    if (limit === undefined) {
      limit = new TokenBucket(1 / 300, this.#settings.burst ?? 25);
      this.#limits.set(uid, limit);
    }
    return limit.tryTake();
  }

  #enqueue(write: () => Promise<void>): void {
    this.#pending += 1;
    this.#tail = this.#tail
      .then(write)
      .catch((error: unknown) => this.#settings.onError?.(error))
      .finally(() => (this.#pending -= 1));
  }

  async #write(about: KubernetesObject, event: ObjectEvent, series: Series): Promise<void> {
    const { controller, instance, clusterNamespace = "default" } = this.#settings;
    const { name, namespace, uid, resourceVersion } = about.metadata;
    const metadata = { namespace: namespace ?? clusterNamespace, name: `${name.slice(0, 230)}.${randomBytes(8).toString("hex")}` };
    const regarding = { apiVersion: about.apiVersion, kind: about.kind, name, namespace, uid, resourceVersion };
    await this.#client.create(events, {
      metadata,
      eventTime: series.lastAt,
      type: event.type,
      reason: event.reason,
      action: event.action ?? "Reconcile",
      note: truncated(event.note),
      regarding,
      reportingController: controller,
      reportingInstance: instance.slice(0, 128),
    } as KubernetesObject);
    series.reference = metadata;
    series.written = 1;
    series.writtenMs = performance.now();
    if (series.count > 1) await this.#writeCount(series);
    series.isQueued = false;
  }

  async #writeCount(series: Series): Promise<void> {
    const { reference, count } = series;
    try {
      // The event was not created, or the previous call has written this count.
      if (reference === undefined || count === series.written) return;
      await this.#client.mergePatch(events, reference, { series: { count, lastObservedTime: series.lastAt } });
      series.written = count;
      series.writtenMs = performance.now();
    } catch (error) {
      if (!isNotFound(error)) throw error;
      // The API server removes events after an hour. The next occurrence starts a new series.
      series.lastMs = Number.NEGATIVE_INFINITY;
    } finally {
      series.isQueued = false;
    }
  }

  /** Removes the series that have ended, or all, and writes their final counts. */
  #endSeries(all: boolean): void {
    const now = performance.now();
    for (const [key, series] of this.#series) {
      if (!all && now - series.lastMs < this.#seriesMs) continue;
      this.#series.delete(key);
      this.#enqueue(() => this.#writeCount(series));
    }
    for (const [uid, limit] of this.#limits) if (limit.isFull) this.#limits.delete(uid);
  }
}

/** Truncates a note between characters to the size that the API server accepts. */
function truncated(note: string): string {
  const bytes = Buffer.from(note);
  if (bytes.length <= maxNoteBytes) return note;
  let end = maxNoteBytes - 3;
  while ((bytes[end]! & 0xc0) === 0x80) end -= 1;
  return `${bytes.subarray(0, end).toString("utf8")}...`;
}
