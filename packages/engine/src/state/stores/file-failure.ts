// SPDX-License-Identifier: Apache-2.0
import { EngineError } from "../../error.ts";

/** Returns a rejection handler that resolves to the value if the file does not exist. */
export function absentAs<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return value;
    throw storeError("read the state", error);
  };
}

/** Runs a step of a store. Its errors become those of {@link storeError}. */
export async function withStoreError<T>(what: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof EngineError ? error : storeError(what, error);
  }
}

/** The error of a failed step of a store. `advice` is an additional sentence. */
export function storeError(what: string, error: unknown, advice?: string): EngineError {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `cannot ${what}: ${reason}${advice === undefined ? "" : `. ${advice}`}`;
  return new EngineError("STORE_FAILED", message, { cause: error });
}
