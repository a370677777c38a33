// SPDX-License-Identifier: Apache-2.0
import type { PrivateStateKey, PrivateStateOptions } from "../definition/private-state.ts";
import { formatPrivateData, formatSealedData, type PrivateData, parsePrivateData, type SealedData } from "./private-data.ts";
import { findKeys, keysVariable, mayHaveKeys } from "./private-state-keys.ts";

/** Decrypted private data, or why it cannot be decrypted. `isCurrent`: whether the first key encrypted it. */
export type Unsealed = { readonly data: PrivateData; readonly isCurrent: boolean } | { readonly data?: undefined; readonly fault: string };

/** Encrypts and decrypts the private data of one provider instance. */
export class PrivateStateVault {
  readonly options: PrivateStateOptions;
  readonly #providerName: string;
  #keys: Promise<readonly PrivateStateKey[]> | undefined;

  constructor(providerName: string, options: PrivateStateOptions) {
    this.#providerName = providerName;
    this.options = options;
  }

  /** Whether the provider has a key. @throws if the keys cannot be determined. */
  async hasKey(): Promise<boolean> {
    if (!mayHaveKeys(this.#providerName, this.options)) return false;
    return (await this.#foundKeys()).length > 0;
  }

  /** Advice for error messages: how to configure a key. */
  get keyAdvice(): string {
    return this.options.keys === undefined
      ? `set ${keysVariable(this.#providerName)}`
      : "privateState.keys in the provider's definition must return it";
  }

  /** Returns the data in its stored form. @throws TypeError if a key is required and there is none. */
  async stored(owner: string, data: PrivateData): Promise<Uint8Array> {
    const plain = formatPrivateData(data);
    if (plain.length === 0) return plain;
    const [first] = (await this.hasKey()) ? await this.#foundKeys() : [];
    if (first === undefined) {
      if (this.options.required) throw new TypeError(`it must be encrypted, but there is no key: ${this.keyAdvice}`);
      return plain;
    }
    const { cipherKey, seal } = await import("./cipher.ts");
    return formatSealedData(seal(await cipherKey(this.#providerName, first), owner, plain));
  }

  /** Decrypts sealed data. @throws if the keys cannot be determined. */
  async unsealed(owner: string, sealed: SealedData): Promise<Unsealed> {
    const keys = (await this.hasKey()) ? await this.#foundKeys() : [];
    const given = keys.find(({ id }) => id === sealed.key);
    if (given === undefined) {
      const known = keys.length === 0 ? "there is no key" : `the available keys are ${keys.map(({ id }) => id).join(", ")}`;
      return { fault: `it is encrypted with key ${sealed.key}, but ${known}: ${this.keyAdvice}` };
    }
    const { cipherKey, unseal } = await import("./cipher.ts");
    const key = await cipherKey(this.#providerName, given);
    if (key.check !== sealed.check) return { fault: `it is encrypted with a different key that has the same id, ${sealed.key}` };
    const plain = unseal(key, owner, sealed);
    if (plain === undefined) return { fault: "it was modified after it was written, or it belongs to another provider or resource type" };
    return { data: parsePrivateData(plain), isCurrent: given === keys[0] };
  }

  #foundKeys(): Promise<readonly PrivateStateKey[]> {
    this.#keys ??= findKeys(this.#providerName, this.options);
    return this.#keys;
  }
}
