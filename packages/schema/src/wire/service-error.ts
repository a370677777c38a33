// SPDX-License-Identifier: Apache-2.0
import type { DescMethod, Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { errorDiagnostic, type Diagnostic } from "../diagnostic.ts";
import { ProviderError, type ProviderErrorCode } from "../error.ts";
import { SchemaUnavailable } from "./known-provider.ts";
import type { Rpc } from "./rpc.ts";
import { WireError } from "./wire-error.ts";

/** Stage in which a call failed. */
export type Stage = "request" | "provider" | "response";

const summaries: Record<Stage, string> = {
  request: "The provider cannot decode a request",
  provider: "The provider failed",
  response: "The provider returned a response that cannot be sent",
};

/** Status codes that callers distinguish; every other failure is `Internal`. */
const codes: Partial<Record<ProviderErrorCode, Code>> = {
  UNAVAILABLE: Code.Unavailable,
  CLOSED: Code.Unavailable,
  CANCELLED: Code.Canceled,
  DEADLINE_EXCEEDED: Code.DeadlineExceeded,
  RESOURCE_EXHAUSTED: Code.ResourceExhausted,
};

/** Failed call of a service. */
export interface FailedResponse {
  readonly rpc: Pick<Rpc<never, unknown, DescMethod>, "method" | "refuse">;
  readonly stage: Stage;
  readonly context: Pick<HandlerContext, "signal">;
  /** Diagnostics of a response that cannot be sent. */
  readonly diagnostics?: readonly Diagnostic[];
}

/**
 * Creates the response to a failed call: with error diagnostics, which the practitioner reads.
 *
 * @throws ConnectError where the response has no diagnostics, the provider does not implement the RPC, or the caller cancelled the call.
 */
export function failureResponse(error: unknown, { rpc, stage, context, diagnostics = [] }: FailedResponse): Message {
  const { method, refuse } = rpc;
  if (error instanceof ConnectError) throw error;
  if (error instanceof ProviderError && error.code === "UNIMPLEMENTED") throw statusOf(error, Code.Unimplemented);
  if (context.signal.aborted)
    throw new ConnectError(`${method.name}: the caller cancelled the call`, Code.Canceled, undefined, undefined, error);
  if (refuse === undefined) throw statusOf(error, (error instanceof ProviderError ? codes[error.code] : undefined) ?? Code.Internal);
  if (error instanceof SchemaUnavailable) return refuse(error.diagnostics);
  const unknown = error instanceof WireError && error.code === "UNKNOWN_TYPE";
  const summary = unknown ? "The provider does not have the requested component" : summaries[stage];
  return refuse([...diagnostics, errorDiagnostic(summary, `${method.name}: ${textOf(error)}`)]);
}

function statusOf(error: unknown, code: Code): ConnectError {
  return new ConnectError(textOf(error), code, undefined, undefined, error);
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === "" ? error.name : error.message;
}
