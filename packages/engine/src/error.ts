// SPDX-License-Identifier: Apache-2.0
/**
 * The code of an {@link EngineError}.
 *
 * - `INVALID_ADDRESS`: a text is not an address of the expected kind; `message` has the detail of the diagnostic.
 * - `INVALID_CONFIGURATION`: errors in the configuration hide where the state is stored; `message` has the diagnostics.
 * - `INVALID_MODULE_MANIFEST`: `modules.json` is malformed.
 * - `INVALID_OPTIONS`: the options are invalid, contradict each other, or are not supported by the store.
 * - `JOURNAL_MALFORMED`: the journal of an interrupted apply is damaged.
 * - `JOURNAL_MISMATCH`: the journal of an interrupted apply belongs to another state than the stored one.
 * - `PLAN_MALFORMED`: a saved plan is damaged, or has the format of another version.
 * - `PLAN_STALE`: the stored state has changed since a saved plan was made from it.
 * - `PROVIDER_NOT_FOUND`: the configuration or the state needs a provider that the options lack.
 * - `PROVIDER_INSTALLATION_FAILED`: a required provider could not be installed; `cause` has the reason.
 * - `STATE_LOCKED`: another run holds the lock of the state; `lock` describes that run.
 * - `STATE_CONFLICT`: the stored state has changed since it was read.
 * - `STATE_MALFORMED`: the stored state cannot be read; `message` has the diagnostics.
 * - `STORE_FAILED`: a read, write or lock of the store failed; `cause` is the error of the file system or network.
 * - `WORKSPACE_NOT_FOUND`: the store has no workspace with that name.
 */
export type EngineErrorCode =
  | "INVALID_ADDRESS"
  | "INVALID_CONFIGURATION"
  | "INVALID_MODULE_MANIFEST"
  | "INVALID_OPTIONS"
  | "JOURNAL_MALFORMED"
  | "JOURNAL_MISMATCH"
  | "PLAN_MALFORMED"
  | "PLAN_STALE"
  | "PROVIDER_NOT_FOUND"
  | "PROVIDER_INSTALLATION_FAILED"
  | "STATE_LOCKED"
  | "STATE_CONFLICT"
  | "STATE_MALFORMED"
  | "STORE_FAILED"
  | "WORKSPACE_NOT_FOUND";

/** Optional properties of an {@link EngineError}. */
export interface EngineErrorDetails extends ErrorOptions {
  /** Only for `STATE_LOCKED`: the lock of the other run. */
  readonly lock?: LockInfo | undefined;
}

/** The description of a state's lock, with the property names of OpenTofu's JSON. Unknown properties are empty. */
export interface LockInfo {
  readonly ID: string;
  /** The operation of the holder, such as `OperationTypeApply`. */
  readonly Operation: string;
  /** Further text about the operation. */
  readonly Info: string;
  /** The holder, as `user@host`. */
  readonly Who: string;
  /** The holder's version of OpenTofu. */
  readonly Version: string;
  /** The time of the lock, in RFC 3339. */
  readonly Created: string;
  /** The path of the state. */
  readonly Path: string;
}

const brand = Symbol.for("@tenon/engine/Error");

/**
 * An error of this package. Errors in a configuration are reported as diagnostics instead.
 *
 * `instanceof` also matches errors of another installed copy of this package.
 */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly code: EngineErrorCode;
  /** Only for `STATE_LOCKED`: the lock of the other run; undefined if the store has no description of it. */
  readonly lock: LockInfo | undefined;

  constructor(code: EngineErrorCode, message: string, details: EngineErrorDetails = {}) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.lock = details.lock;
    Object.defineProperty(this, brand, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): value is EngineError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
