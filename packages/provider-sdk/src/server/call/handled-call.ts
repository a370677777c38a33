// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import { silentLog, silentLogger, type Log } from "../../logger.ts";
import type { CurrentCall } from "../../observability/current-call.ts";
import type { CallEnding } from "./call-ending.ts";
import type { ServedInstance } from "../instance/served-instance.ts";

/** The result of `currentCall()` while a handler runs. Its members are computed when they are read. */
export class HandledCall implements CurrentCall {
  readonly rpc: string;
  readonly #instance: ServedInstance;
  readonly #logOf: (requestId: string) => Log;
  readonly #ending: CallEnding;
  #requestId: string | undefined;
  #log: Log | undefined;

  /** @param logOf Creates the log of the call with an id. */
  constructor(instance: ServedInstance, rpc: string, logOf: (requestId: string) => Log, ending: CallEnding) {
    this.#instance = instance;
    this.rpc = rpc;
    this.#logOf = logOf;
    this.#ending = ending;
  }

  get requestId(): string {
    return (this.#requestId ??= randomUUID());
  }

  get log(): Log {
    return (this.#log ??= this.#instance.logger === silentLogger ? silentLog : this.#logOf(this.requestId));
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
