// SPDX-License-Identifier: Apache-2.0
import { HiddenTexts, InFlightSecrets, type CallSecrecy, type SecretMask } from "@tenon/schema/observability";
import type { LogRecord } from "../output/log-record.ts";

/** Secrets of one session with a provider: of its configuration, and of the calls that are in flight or ended within the last seconds. */
export class SessionSecrets {
  /** Secrets of the provider's configuration, which may occur in every call. */
  readonly configured: HiddenTexts = new HiddenTexts();
  readonly #inFlight = new InFlightSecrets();

  constructor() {
    this.#inFlight.begin(this.configured);
  }

  /** Adds the secrets of a call. */
  begin(secrets: SecretMask, secrecy?: CallSecrecy): void {
    this.#inFlight.begin(secrets, secrecy);
  }

  /** Ends a call. Its secrets remain masked for a few seconds. */
  end(secrets: SecretMask): void {
    this.#inFlight.end(secrets);
  }

  /** Returns the text with the secrets of all calls in flight masked. */
  hide(text: string): string {
    return this.#inFlight.hide(text);
  }

  /**
   * Passes a record of the provider's log to the listener. The secrets of all calls are masked, because the record does not name its call.
   * While an ephemeral resource is being opened, the record is held back, because the secret result is not known yet.
   */
  deliver(record: LogRecord, listener: (record: LogRecord) => void): void {
    const masked = (): LogRecord => ({
      ...record,
      message: this.#inFlight.hide(record.message),
      fields: this.#inFlight.hideIn(record.fields),
    });
    if (this.#inFlight.isHolding) this.#inFlight.hold(() => listener(masked()));
    else listener(masked());
  }
}
