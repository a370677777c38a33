// SPDX-License-Identifier: Apache-2.0
import { Code, type ConnectError } from "@connectrpc/connect";

/**
 * A `ConnectError` with code `Canceled`, in all but the time it takes to make: the headers of the original load Node's whole `fetch`, and every
 * process that ends has calls to cut off. To `instanceof` it is one.
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
