// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../../error.ts";

/** Response of the API server to a rejected request: an object of kind `Status`. */
export interface ApiStatus {
  readonly message?: string;
  /** Such as `Conflict`, `NotFound`, `AlreadyExists`, `Invalid`, `Expired`. */
  readonly reason?: string;
  readonly code?: number;
  readonly details?: {
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  };
}

/** The details of an {@link ApiError}. */
export interface ApiFailure {
  /** Method and path of the request, without its query. */
  readonly request: string;
  /** HTTP status; 0 if no response arrived. */
  readonly status: number;
  readonly response?: ApiStatus;
  readonly retryAfterSeconds?: number | undefined;
}

const brand = Symbol.for("@tenon/bridge/ApiError");

/**
 * Failure of a request to the Kubernetes API server.
 *
 * Its code is `API_REFUSED` if the server rejected the request, and `API_UNREACHABLE` if no complete response arrived. In the second case, a
 * write may have been made.
 */
export class ApiError extends BridgeError {
  /** HTTP status; 0 if no response arrived. */
  readonly status: number;
  /** The reason that the server gives, such as `Conflict`; empty if it gives none. */
  readonly reason: string;
  /** The message of the server, without the request. */
  readonly detail: string;
  /** The fields that the server rejected. */
  readonly causes: NonNullable<NonNullable<ApiStatus["details"]>["causes"]>;
  /** Time after which the server accepts another attempt. */
  readonly retryAfterSeconds: number | undefined;

  constructor({ request, status, response, retryAfterSeconds }: ApiFailure, options?: ErrorOptions) {
    const detail = response?.message ?? (options?.cause instanceof Error ? options.cause.message : "");
    const what = status === 0 ? "no response" : [String(status), response?.reason].filter(Boolean).join(" ");
    super(status === 0 ? "API_UNREACHABLE" : "API_REFUSED", `${request}: ${what}${detail === "" ? "" : `: ${detail}`}`, options);
    this.status = status;
    this.reason = response?.reason ?? "";
    this.detail = detail;
    this.causes = response?.details?.causes ?? [];
    this.retryAfterSeconds = retryAfterSeconds ?? response?.details?.retryAfterSeconds;
    Object.defineProperty(this, brand, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): value is ApiError {
    return typeof value === "object" && value !== null && brand in value;
  }
}

/** Whether a request failed because the object does not exist. */
export function isNotFound(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 404;
}

/** Whether a write failed because the object was changed since it was read, or because another client owns a field. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 409 && error.reason !== "AlreadyExists";
}

/** Whether a create failed because the object exists. */
export function isAlreadyExists(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 409 && error.reason === "AlreadyExists";
}

/** Whether a create failed because the namespace is being deleted. */
export function isNamespaceTerminating(error: unknown): error is ApiError {
  return error instanceof ApiError && error.causes.some(({ reason }) => reason === "NamespaceTerminating");
}

/** Whether a watch or a list failed because its version is no longer available. */
export function isExpired(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 410 || error.reason === "Expired" || error.reason === "Gone");
}
