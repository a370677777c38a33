// SPDX-License-Identifier: Apache-2.0
// The only file that encrypts. It is imported when there is something to encrypt or to read.
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, scrypt } from "node:crypto";
import type { PrivateStateKey } from "../definition/private-state.ts";
import type { SealedData } from "./private-data.ts";

const algorithm = "aes-256-gcm";
const nonceLength = 12;
const tagLength = 16;
/** What OWASP asks of scrypt, at its least memory: 32 MiB. */
const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 2 ** 20 };

/** A key, ready for use. */
export interface CipherKey {
  readonly id: string;
  readonly bytes: Uint8Array;
  /** Tells it from another key of the same id. */
  readonly check: string;
}

/** In this process: a derived key costs some tenths of a second. */
const derived = new Map<string, Promise<Uint8Array>>();

/**
 * The key itself, or what scrypt makes of a passphrase. The salt is the provider's name and the key's id: a random one would have
 * to be stored with each resource, and each would cost a derivation.
 */
export async function cipherKey(providerName: string, { id, secret }: PrivateStateKey): Promise<CipherKey> {
  const bytes = typeof secret === "string" ? await derivedOnce(providerName, id, secret) : secret;
  const check = createHmac("sha256", bytes).update("tenon private state: key check").digest("base64").slice(0, 12);
  return { id, bytes, check };
}

function derivedOnce(providerName: string, id: string, passphrase: string): Promise<Uint8Array> {
  const salt = `tenon private state/1/${providerName}/${id}`;
  // Nothing keeps the passphrase itself.
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

/** @param owner what the data belongs to: it cannot be read as anything else's */
export function seal(key: CipherKey, owner: string, text: Uint8Array): SealedData {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, key.bytes, nonce, { authTagLength: tagLength });
  cipher.setAAD(boundData(key, owner));
  const data = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return { version: 1, key: key.id, check: key.check, nonce: nonce.toString("base64"), data: data.toString("base64") };
}

/** What was sealed, or undefined where it was not sealed like this: it was changed, or belongs to something else. */
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
