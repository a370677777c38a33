// SPDX-License-Identifier: Apache-2.0

/** The connection of a store. The first call opens it; after a failure, the next call opens it again. */
export class StoreConnection<Connection> {
  readonly #open: () => Promise<Connection>;
  #current: Promise<Connection> | undefined;

  constructor(open: () => Promise<Connection>) {
    this.#open = open;
  }

  /** Returns the connection. Opens it if it is not open. @throws The error of the attempt to open it. */
  get(): Promise<Connection> {
    if (this.#current === undefined) {
      const opening = this.#open();
      this.#current = opening;
      opening.catch(() => {
        if (this.#current === opening) this.#current = undefined;
      });
    }
    return this.#current;
  }

  /** Returns the connection to be closed; undefined if it is not open. The next {@link get} opens another one. */
  async take(): Promise<Connection | undefined> {
    const current = this.#current;
    this.#current = undefined;
    return await current?.catch(() => undefined);
  }
}
