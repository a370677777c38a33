// SPDX-License-Identifier: Apache-2.0

/**
 * What went wrong between a host and a provider's process.
 *
 * - `INVALID_OPTIONS`: what was asked for cannot be.
 * - `EXECUTABLE_NOT_FOUND`: there is no such file, or the interpreter or loader it names is not there.
 * - `EXECUTABLE_NOT_RUNNABLE`: it is a folder, may not be executed, or is for another kind of machine.
 * - `SPAWN_FAILED`: the operating system did not start it, for another reason.
 * - `START_CANCELLED`: the caller's signal gave the launch up.
 * - `START_TIMEOUT`: it runs but said nothing in time.
 * - `EXITED_EARLY`: it ended before it could be called.
 * - `COOKIE_REFUSED`: it is a plugin, but of another program.
 * - `HANDSHAKE_MALFORMED`: its first line is not a handshake line.
 * - `PROTOCOL_UNSUPPORTED`: it speaks no provider protocol that is spoken here.
 * - `AUTO_MTLS_MISMATCH`: it does not protect the connection as it was asked to.
 * - `CONNECTION_FAILED`: it named an address where nobody could be reached.
 * - `PROVIDER_CRASHED`: it ended, or its connection did, while it was in use.
 */
export type PluginHostErrorCode =
  | "INVALID_OPTIONS"
  | "EXECUTABLE_NOT_FOUND"
  | "EXECUTABLE_NOT_RUNNABLE"
  | "SPAWN_FAILED"
  | "START_CANCELLED"
  | "START_TIMEOUT"
  | "EXITED_EARLY"
  | "COOKIE_REFUSED"
  | "HANDSHAKE_MALFORMED"
  | "PROTOCOL_UNSUPPORTED"
  | "AUTO_MTLS_MISMATCH"
  | "CONNECTION_FAILED"
  | "PROVIDER_CRASHED";

/** How a process ended: one of the two is there, as in Node's `exit` event. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What is known of a provider's process when something goes wrong with it. */
export interface ProcessReport {
  /** The provider's name, as in log records. */
  readonly provider: string;
  /** The file that was started, or was to be. */
  readonly executable: string;
  /** Absent while it runs, and where it never did. */
  readonly exit?: ProcessExit;
  /** The last 4 KiB of standard output, without control characters and secrets. */
  readonly stdout: string;
  /** The last 4 KiB of standard error, without control characters and secrets. */
  readonly stderr: string;
  /** What it said when it died, stack included. */
  readonly panic?: string;
}

const brand = Symbol.for("@tenon/plugin-host/Error");

/**
 * The error of this package: a provider could not be started, or ended.
 *
 * Errors of calls are `ProviderError` of `@tenon/schema`; where the process is the reason, one of these is their `cause`.
 * `instanceof` also holds for an error of another installed copy.
 */
export class PluginHostError extends Error {
  override readonly name = "PluginHostError";
  readonly code: PluginHostErrorCode;
  /** Absent where there is no process yet. */
  readonly process: ProcessReport | undefined;

  constructor(code: PluginHostErrorCode, message: string, options: ErrorOptions & { readonly process?: ProcessReport } = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.process = options.process;
    Object.defineProperty(this, brand, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && brand in value;
  }
}

/** How an end reads in a sentence: `exit code 2`, `signal SIGKILL`. */
export function describeExit({ code, signal }: ProcessExit): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}
