// SPDX-License-Identifier: Apache-2.0
import type { CarrierClient } from "@tenon/protocol/carrier";
import { createServiceClient, type ServiceClient } from "@tenon/protocol/carrier/calls";
import { openCarrierClient } from "@tenon/protocol/carrier/client";
import { Engine, LogSeverity } from "@tenon/protocol/pulumi";
import type { MessageSeverity } from "../resource/bridge-context.ts";
import { parseEngineAddress } from "./command-line.ts";

const severities: Readonly<Record<MessageSeverity, LogSeverity>> = {
  debug: LogSeverity.DEBUG,
  info: LogSeverity.INFO,
  warning: LogSeverity.WARNING,
  error: LogSeverity.ERROR,
};

/** The log of an engine. Messages are sent one after the other; messages that cannot be sent are dropped. */
export class EngineLog {
  readonly #connection: CarrierClient;
  readonly #engine: ServiceClient<typeof Engine>;
  #sent: Promise<void> = Promise.resolve();

  /** Connects to an engine. @throws BridgeError `INVALID_ARGUMENTS` for a malformed address. */
  constructor(address: string) {
    const { host, port } = parseEngineAddress(address);
    this.#connection = openCarrierClient({ address: { network: "tcp", host, port } });
    this.#connection.connected.catch(() => {});
    this.#engine = createServiceClient(Engine, this.#connection);
  }

  /** Resolves when the connection has ended. */
  get closed(): Promise<unknown> {
    return this.#connection.closed;
  }

  /** Sends a message, without waiting. */
  write(severity: MessageSeverity, message: string, urn: string): void {
    this.#sent = this.#send(this.#sent, severity, message, urn);
  }

  /** Resolves when all messages were sent or dropped. */
  async flushed(): Promise<void> {
    await this.#sent;
  }

  /** Sends the remaining messages, and closes the connection. */
  async close(): Promise<void> {
    await this.#sent;
    await this.#connection.close();
  }

  async #send(before: Promise<void>, severity: MessageSeverity, message: string, urn: string): Promise<void> {
    await before;
    await this.#engine.log({ severity: severities[severity], message, urn }).catch(() => {});
  }
}
