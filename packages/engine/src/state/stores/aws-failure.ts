// SPDX-License-Identifier: Apache-2.0
import { EngineError } from "../../error.ts";

/** The parts of an AWS SDK error: its name, such as `NoSuchKey`, and the status of the response. */
export interface AwsFailure {
  readonly name: string;
  readonly status: number | undefined;
}

/** Reads an error of the AWS SDK. Errors of the network have no status. */
export function awsFailure(error: unknown): AwsFailure {
  const { name = "", $metadata } = (error ?? {}) as { readonly name?: string; readonly $metadata?: { readonly httpStatusCode?: number } };
  return { name, status: $metadata?.httpStatusCode };
}

/** Returns the error for a failed request: the reason of the signal if the request was cancelled, otherwise an EngineError. */
export function awsError(what: string, error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof EngineError) return error;
  const { name } = awsFailure(error);
  if (name === "NoSuchBucket") return new EngineError("STORE_FAILED", noBucket(error), { cause: error });
  // Some servers answer without a text, and connections to several addresses fail without one.
  const text = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = [name === "Error" || name === "" ? "" : name, text === "" || text === name ? code : text].filter((part) => part !== "");
  return new EngineError("STORE_FAILED", `cannot ${what}: ${reason.join(": ")}`, { cause: error });
}

/** @see OpenTofu internal/backend/remote-state/s3, errS3NoSuchBucket */
function noBucket(error: unknown): string {
  return `S3 bucket does not exist.

The referenced S3 bucket must have been previously created. If the S3 bucket
was created within the last minute, please wait for a minute or two and try
again.

Error: ${error instanceof Error ? error.message : String(error)}
`;
}
