// SPDX-License-Identifier: Apache-2.0
// The only module that encrypts and decrypts. It is imported when private data must be encrypted or decrypted.
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, scrypt } from "node:crypto";
import type { PrivateStateKey } from "../definition/private-state.ts";
import type { SealedData } from "./private-data.ts";

const algorithm = "aes-256-gcm";
const nonceLength = 12;
const tagLength = 16;
/** OWASP's recommended scrypt parameters with the smallest memory, 32 MiB. */
const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 2 ** 20 };

/** A key for the cipher. */
export interface CipherKey {
  readonly id: string;
  /** The 32 bytes of the key. */
  readonly bytes: Uint8Array;
  /** Distinguishes this key from other keys with the same id. */
  readonly check: string;
}

/** Derived keys of this process. One derivation takes some tenths of a second. */
const derived = new Map<string, Promise<Uint8Array>>();

/**
 * Returns the key: the given bytes, or a key derived from a passphrase with scrypt. The salt is the provider's name and the key's id:
 * a random salt would have to be stored with each resource, and each resource would need its own derivation.
 */
export async function cipherKey(providerName: string, { id, secret }: PrivateStateKey): Promise<CipherKey> {
  const bytes = typeof secret === "string" ? await derivedOnce(providerName, id, secret) : secret;
  const check = createHmac("sha256", bytes).update("tenon private state: key check").digest("base64").slice(0, 12);
  return { id, bytes, check };
}

function derivedOnce(providerName: string, id: string, passphrase: string): Promise<Uint8Array> {
  const salt = `tenon private state/1/${providerName}/${id}`;
  // The cache key is a hash, so that the passphrase itself is not kept in memory.
  const key = createHash("sha256").update(`${salt}\n${passphrase}`).digest("base64");
  let bytes = derived.get(key);
  if (bytes === undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    scrypt(passphrase, salt, 32, cost, (error, result) => (error === null ? resolve(result) : reject(error)));
    derived.set(key, promise);
    bytes = promise;
  }
  return bytes;
}

/** Encrypts text for one owner. @param owner the component that the data belongs to; the data cannot be decrypted for another owner */
export function seal(key: CipherKey, owner: string, text: Uint8Array): SealedData {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, key.bytes, nonce, { authTagLength: tagLength });
  cipher.setAAD(boundData(key, owner));
  const data = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return { version: 1, key: key.id, check: key.check, nonce: nonce.toString("base64"), data: data.toString("base64") };
}

/** Decrypts sealed data. Returns undefined when authentication fails: the data was modified, or belongs to another owner. */
export function unseal(key: CipherKey, owner: string, sealed: SealedData): Uint8Array | undefined {
  const nonce = Buffer.from(sealed.nonce, "base64");
  const data = Buffer.from(sealed.data, "base64");
  if (nonce.length !== nonceLength || data.length < tagLength) return undefined;
  const decipher = createDecipheriv(algorithm, key.bytes, nonce, { authTagLength: tagLength });
  decipher.setAAD(boundData(key, owner));
  decipher.setAuthTag(data.subarray(data.length - tagLength));
  const text = decipher.update(data.subarray(0, data.length - tagLength));
  try {
    return Buffer.concat([text, decipher.final()]);
  } catch {
    return undefined;
  }
}

function boundData({ id, check }: CipherKey, owner: string): Uint8Array {
  return Buffer.from(JSON.stringify(["tenon private state", 1, id, check, owner]));
}
