// SPDX-License-Identifier: Apache-2.0
import { CtyError, formatPath, type Path } from "@tenon/cty";
import { ProviderError } from "../error.ts";

/**
 * Reasons for which a message cannot be read or written. Internal: callers of a client get a `ProviderError`, peers of a service a diagnostic.
 *
 * - `UNKNOWN_TYPE`: the provider has no type of the name in the request.
 * - `FIELD`: a field cannot be read or written.
 */
export type WireErrorCode = "UNKNOWN_TYPE" | "FIELD";

/** A message cannot be read or written. */
export class WireError extends Error {
  override readonly name = "WireError";
  readonly code: WireErrorCode;

  constructor(code: WireErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Creates the error of a field, with the path in its value. Nested fields are joined: `importedResources[0].state`. */
export function fieldError(field: string, cause: unknown): WireError | ProviderError {
  if (cause instanceof ProviderError) return cause;
  if (cause instanceof WireError) {
    return cause.code === "UNKNOWN_TYPE"
      ? cause
      : new WireError("FIELD", `${field}${cause.message.startsWith("[") ? "" : "."}${cause.message}`, { cause: cause.cause });
  }
  const path: Path = cause instanceof CtyError ? cause.path : [];
  const where = path.length === 0 ? field : `${field}, at ${formatPath(path)}`;
  return new WireError("FIELD", `${where}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}

/** Reads or writes one element of a list. An error names its position. */
export function element<Result>(index: number, translate: () => Result): Result {
  try {
    return translate();
  } catch (cause) {
    throw fieldError(`[${index}]`, cause);
  }
}
