// SPDX-License-Identifier: Apache-2.0
import { Code, ConnectError } from "@connectrpc/connect";
import { ProviderError, type ProviderErrorCode } from "../error.ts";

const codes: Partial<Record<Code, ProviderErrorCode>> = {
  [Code.Unimplemented]: "UNIMPLEMENTED",
  [Code.Unavailable]: "UNAVAILABLE",
  // This caller did not cancel the call: a connection that is lost during a call has this code.
  [Code.Canceled]: "UNAVAILABLE",
  [Code.Aborted]: "UNAVAILABLE",
  [Code.DeadlineExceeded]: "DEADLINE_EXCEEDED",
  [Code.ResourceExhausted]: "RESOURCE_EXHAUSTED",
};

/** Failed call. */
export interface FailedCall {
  /** Name of the RPC in the protocol. */
  readonly rpc: string;
  /** Signal of the caller. */
  readonly signal: AbortSignal | undefined;
  /** Whether this client was closed. */
  readonly closed: boolean;
}

/** Creates the error of a call that was sent and failed. */
export function callError(reason: unknown, { rpc, signal, closed }: FailedCall): ProviderError {
  if (reason instanceof ProviderError) return reason;
  const error = ConnectError.from(reason, Code.Internal);
  if (signal?.aborted && (error.code === Code.Canceled || reason === signal.reason))
    return new ProviderError("CANCELLED", `${rpc}: the caller cancelled the call`, { cause: reason });
  const code = codes[error.code] ?? "INTERNAL";
  if (code === "UNAVAILABLE" && closed)
    return new ProviderError("CLOSED", `${rpc}: the provider was closed during the call`, { cause: reason });
  return new ProviderError(code, `${rpc}: ${error.rawMessage || "the provider failed and gave no reason"}`, { cause: reason });
}

/** Creates the error of a message that cannot be encoded or decoded. */
export function translationError(code: "INVALID_REQUEST" | "INVALID_RESPONSE", rpc: string, cause: unknown): ProviderError {
  if (cause instanceof ProviderError) return cause;
  return new ProviderError(code, `${rpc}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}
