// SPDX-License-Identifier: Apache-2.0
import type { PrivateStateKey, PrivateStateOptions } from "../definition/private-state.ts";
import { formatPrivateData, formatSealedData, type PrivateData, parsePrivateData, type SealedData } from "./private-data.ts";
import { findKeys, keysVariable, mayHaveKeys } from "./private-state-keys.ts";

/** Private data that was encrypted, or why it cannot be read. */
export type Unsealed = { readonly data: PrivateData; readonly isCurrent: boolean } | { readonly data?: undefined; readonly fault: string };

/** How one provider instance encrypts private data. */
export class PrivateStateVault {
  readonly options: PrivateStateOptions;
  readonly #providerName: string;
  #keys: Promise<readonly PrivateStateKey[]> | undefined;

  constructor(providerName: string, options: PrivateStateOptions) {
    this.#providerName = providerName;
    this.options = options;
  }

  /** Whether there is a key. @throws what finding the keys threw. */
  async isOpen(): Promise<boolean> {
    if (!mayHaveKeys(this.#providerName, this.options)) return false;
    return (await this.#foundKeys()).length > 0;
  }

  /** How to give it a key, for a message. */
  get hint(): string {
    return this.options.keys === undefined
      ? `set ${keysVariable(this.#providerName)}`
      : "the provider's own privateState.keys has to answer it";
  }

  /** The data as it is stored. @throws TypeError where there is no key, and there has to be one. */
  async stored(owner: string, data: PrivateData): Promise<Uint8Array> {
    const plain = formatPrivateData(data);
    if (plain.length === 0) return plain;
    const [first] = (await this.isOpen()) ? await this.#foundKeys() : [];
    if (first === undefined) {
      if (this.options.required) throw new TypeError(`it has to be encrypted, and there is no key: ${this.hint}`);
      return plain;
    }
    const { cipherKey, seal } = await import("./cipher.ts");
    return formatSealedData(seal(await cipherKey(this.#providerName, first), owner, plain));
  }

  /** What is in sealed data. @throws what finding the keys threw. */
  async unsealed(owner: string, sealed: SealedData): Promise<Unsealed> {
    const keys = (await this.isOpen()) ? await this.#foundKeys() : [];
    const given = keys.find(({ id }) => id === sealed.key);
    if (given === undefined) {
      const known = keys.length === 0 ? "there is no key" : `the keys are ${keys.map(({ id }) => id).join(", ")}`;
      return { fault: `it is encrypted with key ${sealed.key}, and ${known}: ${this.hint}` };
    }
    const { cipherKey, unseal } = await import("./cipher.ts");
    const key = await cipherKey(this.#providerName, given);
    if (key.check !== sealed.check) return { fault: `it is encrypted with another key than the one that is called ${sealed.key} here` };
    const plain = unseal(key, owner, sealed);
    if (plain === undefined) return { fault: "it was changed since it was written, or it belongs to something else" };
    return { data: parsePrivateData(plain), isCurrent: given === keys[0] };
  }

  #foundKeys(): Promise<readonly PrivateStateKey[]> {
    this.#keys ??= findKeys(this.#providerName, this.options);
    return this.#keys;
  }
}
