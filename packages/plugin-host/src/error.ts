// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/schema";
import type { ResourceHandle } from "./client/resource-handle.ts";
import type { RequestDifference } from "./record/request-difference.ts";

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
 *
 * Of the client:
 *
 * - `DIAGNOSTICS`: the provider, or a rule of its protocol, refused; `diagnostics` say what, and `remaining` what exists now.
 * - `INVALID_CONFIG`: data that cannot be a configuration, or arguments that cannot be a function's.
 * - `NOT_OFFERED`: the provider has nothing of that name.
 * - `REPLACEMENT_REQUIRED`: the change cannot be made in place, and replacing was not allowed.
 *
 * Of installation:
 *
 * - `INVALID_ADDRESS`: not the source address of a provider.
 * - `INVALID_VERSION`: neither a version nor constraints for one.
 * - `INVALID_CLI_CONFIG`: a CLI configuration file that cannot be understood.
 * - `PROVIDER_NOT_FOUND`: no place that was asked has the provider, or that version of it.
 * - `PLATFORM_UNSUPPORTED`: there is such a version, but not for this kind of machine, or not for a protocol spoken here.
 * - `SOURCE_FAILED`: a registry or a mirror could not be reached, or its answer makes no sense.
 * - `UNAUTHORIZED`: a registry or a mirror wants credentials, or others.
 * - `CHECKSUM_MISMATCH`: a package is not the one its registry, its mirror or the lock file promises.
 * - `SIGNATURE_INVALID`: a package's check sums are not signed by whom they should be.
 * - `INVALID_LOCK_FILE`: a dependency lock file that cannot be understood, or is not in canonical form.
 * - `LOCKED`: the lock file does not allow what was asked for.
 * - `CACHE_FAILED`: packages cannot be written to where they are kept, or the lock file cannot: the disk is full, or not ours.
 * - `PACKAGE_MALFORMED`: a package that is damaged, or holds what no package may.
 *
 * Of recordings:
 *
 * - `RECORDING_FAILED`: the file cannot be written, or exists already.
 * - `RECORDING_MALFORMED`: the file is no recording, or one of a version that is not understood.
 * - `RECORDING_TRUNCATED`: the file ends in the middle; the message says where.
 * - `REPLAY_MISMATCH`: a call that was not recorded; `difference` says where it departs from the one that was.
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
  | "PROVIDER_CRASHED"
  | "DIAGNOSTICS"
  | "INVALID_CONFIG"
  | "NOT_OFFERED"
  | "REPLACEMENT_REQUIRED"
  | "INVALID_ADDRESS"
  | "INVALID_VERSION"
  | "INVALID_CLI_CONFIG"
  | "PROVIDER_NOT_FOUND"
  | "PLATFORM_UNSUPPORTED"
  | "SOURCE_FAILED"
  | "UNAUTHORIZED"
  | "CHECKSUM_MISMATCH"
  | "SIGNATURE_INVALID"
  | "INVALID_LOCK_FILE"
  | "LOCKED"
  | "CACHE_FAILED"
  | "PACKAGE_MALFORMED"
  | "RECORDING_FAILED"
  | "RECORDING_MALFORMED"
  | "RECORDING_TRUNCATED"
  | "REPLAY_MISMATCH";

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

/** What else an error tells, by its code. */
export interface PluginHostErrorDetails {
  readonly process?: ProcessReport;
  readonly diagnostics?: readonly Diagnostic[];
  readonly remaining?: ResourceHandle | undefined;
  readonly difference?: RequestDifference | undefined;
}

const brand = Symbol.for("@tenon/plugin-host/Error");

/**
 * The error of this package: a provider could not be started, ended, or refused what the client asked of it.
 *
 * Calls that could not be made or answered reject with a `ProviderError` of `@tenon/schema`; where the process is the reason, one
 * of these is its `cause`.
 * `instanceof` also holds for an error of another installed copy.
 */
export class PluginHostError extends Error {
  override readonly name = "PluginHostError";
  readonly code: PluginHostErrorCode;
  /** Absent where there is no process yet. */
  readonly process: ProcessReport | undefined;
  /** Of `DIAGNOSTICS`: everything that was said, warnings included. Otherwise empty. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Of `DIAGNOSTICS` while something was changed: the object as it exists now, perhaps half made. Keep it, or nobody knows of it.
   * Absent where nothing exists.
   */
  readonly remaining: ResourceHandle | undefined;
  /** Of `REPLAY_MISMATCH`. Absent where there is no recorded call to compare with. */
  readonly difference: RequestDifference | undefined;

  constructor(code: PluginHostErrorCode, message: string, options: ErrorOptions & PluginHostErrorDetails = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.process = options.process;
    this.diagnostics = options.diagnostics ?? [];
    this.remaining = options.remaining;
    this.difference = options.difference;
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
