// SPDX-License-Identifier: Apache-2.0
import { Cell } from "./cell.ts";

/** The cells of one kind of block in a module instance, by the name of the block. A cell is created when it is first needed. */
export class NamedCells<T> {
  readonly #cells = new Map<string, Cell<T>>();
  readonly #onFailure: (name: string, error: unknown) => void;

  /** @param onFailure Receives the name of a block and the error of its value. */
  constructor(onFailure: (name: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** The value of a block. Only the first call computes it. Rejects with the error of the computation. */
  get(name: string, compute: () => Promise<T>): Promise<T> {
    let cell = this.#cells.get(name);
    if (cell === undefined) this.#cells.set(name, (cell = new Cell(compute, (error) => this.#onFailure(name, error))));
    return cell.get();
  }
}
