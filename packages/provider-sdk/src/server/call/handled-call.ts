// SPDX-License-Identifier: Apache-2.0
import type { Log } from "../../logger.ts";
import type { CurrentCall } from "../../observability/current-call.ts";
import type { CallEnding } from "./call-ending.ts";
import type { ServedInstance } from "../instance/served-instance.ts";

/** The result of `currentCall()` while a handler runs. Its members are computed when they are read. */
export class HandledCall implements CurrentCall {
  readonly requestId: string;
  readonly rpc: string;
  readonly log: Log;
  readonly #instance: ServedInstance;
  readonly #ending: CallEnding;

  constructor(instance: ServedInstance, requestId: string, rpc: string, log: Log, ending: CallEnding) {
    this.#instance = instance;
    this.requestId = requestId;
    this.rpc = rpc;
    this.log = log;
    this.#ending = ending;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  get terraformVersion(): string | undefined {
    return this.#instance.terraformVersion;
  }

  get userAgent(): string {
    return this.#instance.userAgent;
  }
}
