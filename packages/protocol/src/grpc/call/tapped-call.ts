// SPDX-License-Identifier: Apache-2.0
import type { ConnectError } from "@connectrpc/connect";
import type { CarrierTap } from "../../carrier/carrier-tap.ts";

/** Reports the events of a call to a tap. */
export class TappedCall {
  readonly #tap: CarrierTap;
  readonly #call: number;
  readonly #method: string;

  constructor(tap: CarrierTap, call: number, method: string) {
    this.#tap = tap;
    this.#call = call;
    this.#method = method;
  }

  /** Reports a sent message. */
  sent(bytes: Uint8Array): void {
    this.#tap({ kind: "sent", call: this.#call, method: this.#method, bytes });
  }

  /** Reports a received message. */
  received(bytes: Uint8Array): void {
    this.#tap({ kind: "received", call: this.#call, method: this.#method, bytes });
  }

  /** Reports the end of the call. */
  ended(error?: ConnectError): void {
    this.#tap({ kind: "ended", call: this.#call, method: this.#method, status: error?.code ?? 0, message: error?.rawMessage ?? "" });
  }
}
