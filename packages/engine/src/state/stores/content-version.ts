// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { EngineError } from "../../error.ts";

/** The version of a stored state in a store without versions: a digest of the content. */
export function contentVersion(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The error for a write whose expected version is not the stored one. */
export function conflictError(where: string): EngineError {
  return new EngineError("STATE_CONFLICT", `the state at ${where} has changed since it was read; read it again and repeat the operation`);
}
