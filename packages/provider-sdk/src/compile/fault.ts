// SPDX-License-Identifier: Apache-2.0
import { SdkError, type SdkErrorCode } from "../error.ts";

/** The faults of one definition. */
export class Faults {
  readonly #where: string;
  readonly #found: string[] = [];

  /** @param where the provider and the component, as the prefix of messages. */
  constructor(where: string) {
    this.#where = where;
  }

  /** Adds a fault. `path` is that of the attribute, and empty for the component itself. */
  add(path: readonly string[], what: string): void {
    this.#found.push(path.length === 0 ? what : `attribute ${path.join(".")}: ${what}`);
  }

  /** Throws an error if there are faults. @throws SdkError with every fault. */
  throwIfAny(code: SdkErrorCode): void {
    const [first, ...more] = this.#found;
    if (first === undefined) return;
    throw new SdkError(code, `${this.#where}: ${more.length === 0 ? first : [`${more.length + 1} faults`, first, ...more].join("\n  ")}`);
  }
}
