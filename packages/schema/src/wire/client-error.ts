// SPDX-License-Identifier: Apache-2.0
import { Code, ConnectError } from "@connectrpc/connect";
import { ProviderError, type ProviderErrorCode } from "../error.ts";

const codes: Partial<Record<Code, ProviderErrorCode>> = {
  [Code.Unimplemented]: "UNIMPLEMENTED",
  [Code.Unavailable]: "UNAVAILABLE",
  // Not by this caller: so a connection ends that is lost in the middle of a call.
  [Code.Canceled]: "UNAVAILABLE",
  [Code.Aborted]: "UNAVAILABLE",
  [Code.DeadlineExceeded]: "DEADLINE_EXCEEDED",
  [Code.ResourceExhausted]: "RESOURCE_EXHAUSTED",
};

/** What is known of a call when it fails. */
export interface FailedCall {
  /** The RPC, as the protocol names it. */
  readonly rpc: string;
  /** The caller's own signal. */
  readonly signal: AbortSignal | undefined;
  /** Whether the provider was closed at this end. */
  readonly closed: boolean;
}

/** The error of a call that was made and not answered. */
export function callError(reason: unknown, { rpc, signal, closed }: FailedCall): ProviderError {
  if (reason instanceof ProviderError) return reason;
  const error = ConnectError.from(reason, Code.Internal);
  if (signal?.aborted && (error.code === Code.Canceled || reason === signal.reason))
    return new ProviderError("CANCELLED", `${rpc}: the call was given up`, { cause: reason });
  const code = codes[error.code] ?? "INTERNAL";
  if (code === "UNAVAILABLE" && closed)
    return new ProviderError("CLOSED", `${rpc}: the provider was closed during the call`, { cause: reason });
  return new ProviderError(code, `${rpc}: ${error.rawMessage || "the provider failed without a word"}`, { cause: reason });
}

/** The error of a message that cannot be translated. */
export function translationError(code: "INVALID_REQUEST" | "INVALID_RESPONSE", rpc: string, cause: unknown): ProviderError {
  if (cause instanceof ProviderError) return cause;
  return new ProviderError(code, `${rpc}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}
