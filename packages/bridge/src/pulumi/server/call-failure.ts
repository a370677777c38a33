// SPDX-License-Identifier: Apache-2.0
import { type CallErrorCode, callErrorCode, createCallError } from "@tenon/protocol/carrier/calls";
import { PluginHostError } from "@tenon/plugin-host";
import { ProviderError } from "@tenon/schema";
import { BridgeError, type BridgeErrorCode } from "../../error.ts";

/**
 * Codes of the engine's calls. The engine takes `internal` and `unknown` to mean that the resource may have changed, and every other code to
 * mean that it has not.
 *
 * @see pulumi sdk/go/common/resource/plugin/provider_plugin.go, resourceStateAndError
 */
const codes: Readonly<Partial<Record<BridgeErrorCode, CallErrorCode>>> = {
  INCOMPATIBLE_SCHEMA: "failedPrecondition",
  INVALID_ARGUMENTS: "invalidArgument",
  INVALID_OBJECT: "invalidArgument",
  INVALID_PARAMETER: "invalidArgument",
  INVALID_PROPERTIES: "invalidArgument",
  INVALID_RECORDING: "failedPrecondition",
  INVALID_REQUEST: "failedPrecondition",
  INVALID_STATE: "failedPrecondition",
  PROVIDER_FAILED: "failedPrecondition",
};

/** Converts an error to the error of a call. */
export function asCallError(error: unknown): Error {
  if (callErrorCode(error) !== undefined) return error as Error;
  return createCallError(codeOf(error), error instanceof Error ? error.message : String(error), { cause: error });
}

function codeOf(error: unknown): CallErrorCode {
  if (error instanceof BridgeError) return codes[error.code] ?? "internal";
  if (error instanceof PluginHostError) return "failedPrecondition";
  if (error instanceof ProviderError) {
    if (!error.requestSent) return error.code === "CANCELLED" ? "cancelled" : "unavailable";
    return error.code === "UNIMPLEMENTED" ? "unimplemented" : "unknown";
  }
  return "internal";
}
