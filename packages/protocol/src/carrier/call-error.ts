// SPDX-License-Identifier: Apache-2.0
import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";

/** Name of a gRPC status code that a handler may fail a call with. */
export type CallErrorCode =
  | "cancelled"
  | "unknown"
  | "invalidArgument"
  | "deadlineExceeded"
  | "notFound"
  | "alreadyExists"
  | "permissionDenied"
  | "failedPrecondition"
  | "aborted"
  | "unimplemented"
  | "internal"
  | "unavailable";

const codes: Readonly<Record<CallErrorCode, Code>> = {
  cancelled: Code.Canceled,
  unknown: Code.Unknown,
  invalidArgument: Code.InvalidArgument,
  deadlineExceeded: Code.DeadlineExceeded,
  notFound: Code.NotFound,
  alreadyExists: Code.AlreadyExists,
  permissionDenied: Code.PermissionDenied,
  failedPrecondition: Code.FailedPrecondition,
  aborted: Code.Aborted,
  unimplemented: Code.Unimplemented,
  internal: Code.Internal,
  unavailable: Code.Unavailable,
};

/** Message that an error carries to the client beside its text. Created by `callErrorDetail`. */
export interface CallErrorDetail {
  readonly desc: DescMessage;
  readonly value: Record<string, unknown>;
}

/** Combines a message and its descriptor for the details of {@link createCallError}. */
export function callErrorDetail<Desc extends DescMessage>(desc: Desc, value: MessageInitShape<Desc>): CallErrorDetail {
  return { desc, value };
}

/**
 * Creates the error that a handler throws to fail its call with a code other than `Internal`, or with details.
 *
 * @example
 * throw createCallError("unimplemented", "the provider has no components");
 */
export function createCallError(
  code: CallErrorCode,
  message: string,
  { details = [], cause }: { readonly details?: readonly CallErrorDetail[]; readonly cause?: unknown } = {},
): Error {
  return new ConnectError(message, codes[code], undefined, [...details], cause);
}

/** Returns the code of an error that failed a call; undefined for another error. */
export function callErrorCode(error: unknown): CallErrorCode | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  return (Object.keys(codes) as CallErrorCode[]).find((name) => codes[name] === error.code);
}
