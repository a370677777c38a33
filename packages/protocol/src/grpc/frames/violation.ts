// SPDX-License-Identifier: Apache-2.0
import { errorName } from "./frame.ts";

/** The peer broke a rule of HTTP/2 that ends the whole connection. */
export class Violation extends Error {
  override readonly name = "Violation";
  /** The code to end it with. */
  readonly errorCode: number;

  constructor(errorCode: number, message: string) {
    super(`${message} (${errorName(errorCode)})`);
    this.errorCode = errorCode;
  }
}
