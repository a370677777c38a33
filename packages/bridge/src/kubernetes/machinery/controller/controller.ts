// SPDX-License-Identifier: Apache-2.0
import { isAlreadyExists, isConflict } from "../client/api-error.ts";
import { LimitedSignal } from "../client/limited-signal.ts";
import type { Counter, Histogram, Metrics } from "../process/metrics.ts";
import { createTraceId, type StructuredLog } from "../process/structured-log.ts";
import type { WorkQueue } from "../queue/work-queue.ts";

/** The context of one reconcile. */
export interface ReconcileContext {
  /** A log whose lines have the trace id and the key. */
  readonly log: StructuredLog;
  readonly traceId: string;
  /** Aborted at the time limit, and when the replica may not continue. */
  readonly signal: AbortSignal;
  /** Aborted only when the process ends: for calls that must not be cut off, because their outcome would not be known. */
  readonly ending: AbortSignal;
}

/** The result of one reconcile. */
export interface ReconcileResult {
  /** Time after which the key is reconciled again, in milliseconds. Default: only after its next change. */
  readonly requeueAfterMs?: number;
  /** Whether the work goes on after the reconcile: the key keeps its failures, by which it is repeated later. Default: false. */
  readonly isUnfinished?: boolean;
}

/** Brings the object of a key into its desired state. After an error it is called again, with an exponential backoff. */
export type Reconcile = (key: string, context: ReconcileContext) => Promise<ReconcileResult>;

/** Options of a {@link Controller}. */
export interface ControllerSettings {
  /** Name in logs and metrics. */
  readonly name: string;
  readonly queue: WorkQueue;
  readonly reconcile: Reconcile;
  readonly log: StructuredLog;
  /** Number of keys that are reconciled at once. Default: 16. */
  readonly workers?: number;
  /** Time limit of one reconcile, in milliseconds. Default: 90,000. */
  readonly timeoutMs?: number;
  readonly metrics?: ControllerMetrics;
  /** Returns a signal that is aborted when the replica loses a key; undefined if the replica must not work on the key. Default: it may work on all keys. */
  readonly leaseFor?: (key: string) => AbortSignal | undefined;
}

/** Metrics of controllers. */
export interface ControllerMetrics {
  readonly reconciles: Counter;
  readonly durations: Histogram;
}

/** Declares the metrics of controllers. */
export function controllerMetrics(metrics: Metrics): ControllerMetrics {
  return {
    reconciles: metrics.counter("tenon_reconciles_total", "Number of reconciles by controller and result."),
    durations: metrics.histogram("tenon_reconcile_duration_seconds", "Duration of reconciles by controller."),
  };
}

/** Workers that reconcile the keys of a queue. */
export class Controller {
  readonly #settings: ControllerSettings;

  constructor(settings: ControllerSettings) {
    this.#settings = settings;
  }

  /** Works until `draining` is aborted. Returns when the last reconcile has ended; `ending` aborts the remaining ones. */
  async run(draining: AbortSignal, ending: AbortSignal): Promise<void> {
    const { queue, workers = 16 } = this.#settings;
    const close = (): void => void queue.close();
    if (draining.aborted) close();
    else draining.addEventListener("abort", close, { once: true });
    await Promise.all(Array.from({ length: workers }, () => this.#work(ending)));
  }

  async #work(ending: AbortSignal): Promise<void> {
    const { queue } = this.#settings;
    for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
      try {
        await this.#reconcile(key, ending);
      } finally {
        queue.done(key);
      }
    }
  }

  async #reconcile(key: string, ending: AbortSignal): Promise<void> {
    const { name, queue, reconcile, log, timeoutMs = 90_000, metrics, leaseFor } = this.#settings;
    const lease = leaseFor ? leaseFor(key) : undefined;
    if (leaseFor && lease === undefined) {
      queue.remove(key);
      return;
    }
    const traceId = createTraceId();
    const own = log.with({ controller: name, key, traceId });
    using limited = new LimitedSignal(timeoutMs, lease ? [ending, lease] : [ending]);
    const { signal } = limited;
    const started = performance.now();
    let result = "success";
    try {
      const { requeueAfterMs, isUnfinished = false } = await reconcile(key, { log: own, traceId, signal, ending });
      if (!isUnfinished) queue.forget(key);
      if (requeueAfterMs !== undefined) queue.addAfter(key, requeueAfterMs);
    } catch (error) {
      result = isConflict(error) || isAlreadyExists(error) ? "conflict" : lease?.aborted ? "lost" : ending.aborted ? "aborted" : "error";
      // A conflict is not a failure: the object was changed, and its change also adds the key.
      if (result === "error") own.error("reconcile failed", { error });
      else own.debug("reconcile ended early", { result, error });
      if (result !== "lost") queue.addAfterFailure(key);
      // The replica may hold the key again already. Then the new lease has added the key, which must stay in the queue.
      else if (leaseFor?.(key) !== undefined) queue.add(key);
      else queue.remove(key);
    } finally {
      const seconds = (performance.now() - started) / 1000;
      metrics?.reconciles.add({ controller: name, result });
      metrics?.durations.observe(seconds, { controller: name });
      own.debug("reconcile ended", { result, durationMs: Math.round(seconds * 1000) });
    }
  }
}
