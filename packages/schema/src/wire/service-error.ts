// SPDX-License-Identifier: Apache-2.0
import type { DescMethod, Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { errorDiagnostic, type Diagnostic } from "../diagnostic.ts";
import { ProviderError, type ProviderErrorCode } from "../error.ts";
import { SchemaUnavailable } from "./known-provider.ts";
import type { Rpc } from "./rpc.ts";
import { WireError } from "./wire-error.ts";

/** How far a call came before it failed. */
export type Stage = "request" | "provider" | "answer";

const summaries: Record<Stage, string> = {
  request: "The provider cannot read a request",
  provider: "The provider failed",
  answer: "The provider gave an answer that cannot be sent",
};

/** Codes of the statuses that a caller can tell apart; every other failure is `Internal`. */
const codes: Partial<Record<ProviderErrorCode, Code>> = {
  UNAVAILABLE: Code.Unavailable,
  CLOSED: Code.Unavailable,
  CANCELLED: Code.Canceled,
  DEADLINE_EXCEEDED: Code.DeadlineExceeded,
  RESOURCE_EXHAUSTED: Code.ResourceExhausted,
};

/** What is known of a call when it fails. */
export interface FailedAnswer {
  readonly rpc: Pick<Rpc<never, unknown, DescMethod>, "method" | "refuse">;
  readonly stage: Stage;
  readonly context: Pick<HandlerContext, "signal">;
  /** Those that the provider gave with an answer that cannot be sent. */
  readonly diagnostics?: readonly Diagnostic[];
}

/**
 * The answer that says why there is none: diagnostics where the response has room for them, so that the practitioner reads them.
 *
 * @throws ConnectError where it has none, where the provider lacks the RPC, and where nobody waits for the answer any more.
 */
export function failureAnswer(error: unknown, { rpc, stage, context, diagnostics = [] }: FailedAnswer): Message {
  const { method, refuse } = rpc;
  if (error instanceof ConnectError) throw error;
  if (error instanceof ProviderError && error.code === "UNIMPLEMENTED") throw statusOf(error, Code.Unimplemented);
  if (context.signal.aborted) throw new ConnectError(`${method.name}: the call was given up`, Code.Canceled, undefined, undefined, error);
  if (refuse === undefined) throw statusOf(error, (error instanceof ProviderError ? codes[error.code] : undefined) ?? Code.Internal);
  if (error instanceof SchemaUnavailable) return refuse(error.diagnostics);
  const unknown = error instanceof WireError && error.code === "UNKNOWN_TYPE";
  const summary = unknown ? "The provider does not have what is asked of it" : summaries[stage];
  return refuse([...diagnostics, errorDiagnostic(summary, `${method.name}: ${textOf(error)}`)]);
}

function statusOf(error: unknown, code: Code): ConnectError {
  return new ConnectError(textOf(error), code, undefined, undefined, error);
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === "" ? error.name : error.message;
}
