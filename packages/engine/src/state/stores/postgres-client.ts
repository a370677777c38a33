// SPDX-License-Identifier: Apache-2.0
import type { Client } from "pg";
import { EngineError } from "../../error.ts";
import type { StoreCallOptions } from "./state-store.ts";

/** A connection to a database. Errors are EngineErrors `STORE_FAILED`. */
export class Connection {
  readonly client: Client;
  #last: Promise<unknown> = Promise.resolve();
  /** The reason why the connection ended. */
  #failure: Error | undefined;

  constructor(client: Client) {
    this.client = client;
    client.on("error", (error) => (this.#failure ??= error));
    client.on("end", () => (this.#failure ??= new Error("the connection was closed")));
  }

  async query(what: string, text: string, values: readonly unknown[] = [], { signal }: StoreCallOptions = {}): Promise<Row[]> {
    signal?.throwIfAborted();
    try {
      if (this.#failure !== undefined) throw this.#failure;
      return (await this.client.query<Row>(text, [...values])).rows;
    } catch (error) {
      throw storeError(what, error);
    }
  }

  /** Runs queries after those of earlier calls, so that transactions do not mix. */
  async exclusively<T>(run: (connection: Connection) => Promise<T>): Promise<T> {
    const result = this.#last.then(() => run(this));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    this.#failure ??= new Error("the connection was closed");
    await this.client.end().catch(() => undefined);
  }
}

/** A row of a result, by column. */
export interface Row {
  readonly [column: string]: string | boolean | null;
}

/** The error of a failed step. An EngineError is returned unchanged. */
export function storeError(what: string, error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  // Connections to several addresses fail without a text.
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = error instanceof Error ? error.message || code : String(error);
  return new EngineError("STORE_FAILED", `cannot ${what} in PostgreSQL: ${reason}`, { cause: error });
}
