// SPDX-License-Identifier: Apache-2.0
/**
 * Kinds of failure that callers may handle differently.
 *
 * - `API_REFUSED`: the Kubernetes API server refused a request; the error is an `ApiError`.
 * - `API_UNREACHABLE`: no response of the Kubernetes API server arrived; the error is an `ApiError`.
 * - `CRD_NOT_ESTABLISHED`: the Kubernetes API server accepted a custom resource definition, and does not serve it.
 * - `CREDENTIALS_FAILED`: the credentials for the Kubernetes API server cannot be obtained.
 * - `DEPENDENCY_MISSING`: packaging needs an optional peer dependency, which is not installed.
 * - `INCOMPATIBLE_SCHEMA`: stored objects cannot be converted to a changed schema of the provider.
 * - `INVALID_ARGUMENTS`: the arguments that select a provider are invalid.
 * - `INVALID_KUBECONFIG`: a kubeconfig file is invalid, or none was found.
 * - `INVALID_OBJECT`: a custom resource lacks something, or does not fit the type of the provider.
 * - `INVALID_PACKAGE_OPTION`: an option of the packager is missing or invalid; no file was written.
 * - `INVALID_PARAMETER`: the value of a parameterized package is invalid.
 * - `INVALID_PROPERTIES`: property values of the engine are malformed, or do not fit the type of the provider.
 * - `INVALID_RECORDING`: a recording that is to be replayed cannot be read.
 * - `INVALID_REQUEST`: the engine made a call in the wrong order, or named an unknown type.
 * - `INVALID_STATE`: the stored state of a resource cannot be read.
 * - `OPERATOR_RUNNING`: replicas of an operator are running that must not.
 * - `PROVIDER_FAILED`: the provider reported an error.
 * - `STATE_TOO_LARGE`: the state of a resource does not fit in a Secret.
 * - `UNUSABLE_PLUGIN`: the packaged plugin does not start, or does not return its schema; the message has what it printed.
 */
export type BridgeErrorCode =
  | "API_REFUSED"
  | "API_UNREACHABLE"
  | "CRD_NOT_ESTABLISHED"
  | "CREDENTIALS_FAILED"
  | "DEPENDENCY_MISSING"
  | "INCOMPATIBLE_SCHEMA"
  | "INVALID_ARGUMENTS"
  | "INVALID_KUBECONFIG"
  | "INVALID_OBJECT"
  | "INVALID_PACKAGE_OPTION"
  | "INVALID_PARAMETER"
  | "INVALID_PROPERTIES"
  | "INVALID_RECORDING"
  | "INVALID_REQUEST"
  | "INVALID_STATE"
  | "OPERATOR_RUNNING"
  | "PROVIDER_FAILED"
  | "STATE_TOO_LARGE"
  | "UNUSABLE_PLUGIN";

const brand = Symbol.for("@tenon/bridge/Error");

/** Error thrown by this package. `instanceof` also recognises errors thrown by another installed copy. */
export class BridgeError extends Error {
  override readonly name = "BridgeError";
  /** Kind of failure. */
  readonly code: BridgeErrorCode;

  constructor(code: BridgeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): value is BridgeError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
