// SPDX-License-Identifier: Apache-2.0
import { SdkError, type SdkErrorCode } from "../error.ts";

/** Where a definition is looked at, and what was found wrong with it so far. */
export class Faults {
  readonly #where: string;
  readonly #found: string[] = [];

  /** @param where the provider and the component, as messages name them. */
  constructor(where: string) {
    this.#where = where;
  }

  /** Notes a fault. `path` leads to the attribute; empty for the component itself. */
  add(path: readonly string[], what: string): void {
    this.#found.push(path.length === 0 ? what : `attribute ${path.join(".")}: ${what}`);
  }

  /** @throws SdkError with every fault that was found. */
  throwIfAny(code: SdkErrorCode): void {
    const [first, ...more] = this.#found;
    if (first === undefined) return;
    throw new SdkError(code, `${this.#where}: ${more.length === 0 ? first : [`${more.length + 1} faults`, first, ...more].join("\n  ")}`);
  }
}
