// SPDX-License-Identifier: Apache-2.0
import { Code, type ConnectError } from "@connectrpc/connect";

/**
 * Creates an error that behaves as a `ConnectError` with code `Canceled`, also for `instanceof`.
 *
 * Creating a real one loads Node's whole `fetch` for its headers, and every server that shuts down has calls to cancel.
 */
export function cancellation(text: string): ConnectError {
  return new Cancellation(text) as unknown as ConnectError;
}

class Cancellation extends Error {
  override readonly name = "ConnectError";
  override readonly cause: undefined = undefined;
  readonly code = Code.Canceled;
  readonly rawMessage: string;
  readonly details: readonly never[] = [];
  readonly isWireError = false;
  #metadata: Headers | undefined;

  constructor(text: string) {
    super(`[canceled] ${text}`);
    this.rawMessage = text;
  }

  get metadata(): Headers {
    return (this.#metadata ??= new Headers());
  }

  findDetails(): readonly never[] {
    return this.details;
  }
}
