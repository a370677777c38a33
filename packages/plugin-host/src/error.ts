// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/schema";
import type { ResourceHandle } from "./resource-handle.ts";
import type { RequestDifference } from "./request-difference.ts";
import { withoutControlCharacters } from "./terminal-text.ts";

/**
 * Reasons for a {@link PluginHostError}.
 *
 * - `INVALID_OPTIONS`: an option has an invalid value, or does not apply.
 * - `EXECUTABLE_NOT_FOUND`: the file, or its interpreter or loader, does not exist.
 * - `EXECUTABLE_NOT_RUNNABLE`: a folder, a file without permission, an executable for another machine, or no executable.
 * - `SPAWN_FAILED`: the operating system did not start the process, for another reason.
 * - `START_CANCELLED`: the caller's signal cancelled the launch.
 * - `START_TIMEOUT`: the process was not ready within its time limit.
 * - `EXITED_EARLY`: the process ended before it could be called.
 * - `COOKIE_REFUSED`: the executable is a plugin of another program.
 * - `HANDSHAKE_MALFORMED`: the first line of the output is not a handshake line.
 * - `PROTOCOL_UNSUPPORTED`: the provider speaks none of the offered protocol versions.
 * - `AUTO_MTLS_MISMATCH`: the provider does not use TLS as requested.
 * - `CONNECTION_FAILED`: no connection to the address in the handshake line.
 * - `PROVIDER_CRASHED`: the process or its connection ended unexpectedly.
 *
 * Errors of the client:
 *
 * - `DIAGNOSTICS`: the provider returned errors, or broke a rule of the protocol; see `diagnostics`. `remaining` is the object that exists
 *   now.
 * - `INVALID_CONFIG`: data that is not a valid configuration, or invalid arguments of a function.
 * - `NOT_OFFERED`: the provider has no component of that name.
 * - `REPLACEMENT_REQUIRED`: the change needs a replacement, which was not allowed.
 *
 * Errors of an installation:
 *
 * - `INVALID_ADDRESS`: not a source address.
 * - `INVALID_VERSION`: not a version, or not version constraints.
 * - `INVALID_CLI_CONFIG`: a CLI configuration file that cannot be read or parsed.
 * - `PROVIDER_NOT_FOUND`: no source has the provider, or a version that meets the constraints.
 * - `PLATFORM_UNSUPPORTED`: the version has no package for this platform, or none for a supported protocol.
 * - `SOURCE_FAILED`: a registry or mirror could not be reached, or returned an invalid response.
 * - `UNAUTHORIZED`: a registry or mirror requires credentials, or rejected the given credentials.
 * - `CHECKSUM_MISMATCH`: the checksum of a package is not that of its registry, its mirror or the lock file.
 * - `SIGNATURE_INVALID`: the checksums of a package have no valid signature by a key of its registry.
 * - `INVALID_LOCK_FILE`: a dependency lock file that cannot be parsed, or is not in canonical form.
 * - `LOCKED`: the lock file does not allow the installation, or another process holds it.
 * - `CACHE_FAILED`: the cache or the lock file cannot be written.
 * - `PACKAGE_MALFORMED`: a package that is damaged, or has entries that are not allowed.
 * - `INSTALL_TIMEOUT`: the installation took longer than its time limit.
 *
 * Errors of recordings:
 *
 * - `RECORDING_FAILED`: the file cannot be written, or exists already.
 * - `RECORDING_MALFORMED`: the file is not a recording, or has an unsupported version.
 * - `RECORDING_TRUNCATED`: the file is truncated; the message has the position.
 * - `REPLAY_MISMATCH`: a call that was not recorded; `difference` is the first difference from the recorded one.
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
  | "INSTALL_TIMEOUT"
  | "RECORDING_FAILED"
  | "RECORDING_MALFORMED"
  | "RECORDING_TRUNCATED"
  | "REPLAY_MISMATCH";

/** How a process ended. One of the two is not null, as in Node's `exit` event. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A provider's process at the time of an error. */
export interface ProcessReport {
  /** Name of the provider, as in log records. */
  readonly provider: string;
  /** Absolute path of the executable. */
  readonly executable: string;
  /** Absent if the process is running, or was never started. */
  readonly exit?: ProcessExit;
  /** The last 4 KiB of standard output, without control characters and secrets. */
  readonly stdout: string;
  /** The last 4 KiB of standard error, without control characters and secrets. */
  readonly stderr: string;
  /** The panic text of a crash, with its stack. */
  readonly panic?: string;
}

/** Further data of an error. */
export interface PluginHostErrorDetails {
  readonly process?: ProcessReport;
  readonly diagnostics?: readonly Diagnostic[];
  readonly remaining?: ResourceHandle | undefined;
  readonly difference?: RequestDifference | undefined;
}

const brand = Symbol.for("@tenon/plugin-host/Error");

/**
 * The error of this package: a provider could not be found, installed, started or connected to, or refused an operation.
 * Calls that get no response reject with a `ProviderError` of `@tenon/schema`; if the process is the reason, its `cause` is
 * a `PluginHostError`. `instanceof` also holds for errors of another installed copy of this package. Messages have no control characters.
 */
export class PluginHostError extends Error {
  override readonly name = "PluginHostError";
  readonly code: PluginHostErrorCode;
  /** Undefined if no process was involved. */
  readonly process: ProcessReport | undefined;
  /** All diagnostics, with warnings, of a `DIAGNOSTICS` error. Otherwise empty. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * The object that exists after a failed change, perhaps incomplete. Save it, because it is returned only here. Undefined if no object
   * exists.
   */
  readonly remaining: ResourceHandle | undefined;
  /** The first difference of a `REPLAY_MISMATCH`. Undefined if there is no recorded call to compare with. */
  readonly difference: RequestDifference | undefined;

  constructor(code: PluginHostErrorCode, message: string, options: ErrorOptions & PluginHostErrorDetails = {}) {
    super(withoutControlCharacters(message), "cause" in options ? { cause: options.cause } : undefined);
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

/** Describes an exit for a message: `exit code 2`, `signal SIGKILL`. */
export function describeExit({ code, signal }: ProcessExit): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}
