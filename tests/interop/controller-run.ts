// SPDX-License-Identifier: Apache-2.0
import { EventRecorder, StructuredLog, type ApiClient, type WorkQueueSettings } from "@tenon/bridge/kubernetes/machinery";

/** A controller, as far as a run uses it. */
export interface RunnableController {
  readonly synced: Promise<void>;
  run(draining: AbortSignal, ending: AbortSignal): Promise<void>;
}

/** Settings that a run gives to its controllers. */
export interface RunSettings {
  readonly client: ApiClient;
  readonly events: EventRecorder;
  readonly log: StructuredLog;
  readonly queue: WorkQueueSettings;
}

/** Controllers in the process of a test, with their events and their log. */
export class ControllerRun implements AsyncDisposable {
  readonly settings: RunSettings;
  /** Lines of the log. */
  readonly log: string[] = [];
  readonly #draining = new AbortController();
  readonly #ending = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(client: ApiClient) {
    this.settings = {
      client,
      events: new EventRecorder(client, { controller: "tenon.dev/test", instance: "test" }),
      log: new StructuredLog({ write: (line) => void this.log.push(line) }),
      queue: { initialDelayMs: 50, maxDelayMs: 200, repeatsPerSecond: 1_000 },
    };
  }

  /** Starts the controllers. Resolves when they know all their objects. */
  async start(controllers: readonly RunnableController[]): Promise<void> {
    this.#running = Promise.all(controllers.map((controller) => controller.run(this.#draining.signal, this.#ending.signal)));
    await Promise.all(controllers.map(({ synced }) => synced));
  }

  /** Begins to end, and aborts the work in flight. */
  abort(): void {
    this.#draining.abort();
    this.#ending.abort();
  }

  /** Drains, and ends. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#draining.abort();
    await this.#running;
    await this.settings.events.close();
  }
}
