// SPDX-License-Identifier: Apache-2.0
import { constants, createPrivateKey, privateDecrypt, type KeyObject } from "node:crypto";
import { CtyError, of, string } from "@tenon/cty";
import { argumentError, defineFunction, type CtyFunction } from "@tenon/cty/function";
import { stringOf } from "@tenon/cty/unstable/native";
import { goQuote } from "@tenon/cty/unstable/payload";
import { decodeBase64 } from "./base64.ts";
import { openSshPrivateKey } from "./openssh-key.ts";

/**
 * The function `rsadecrypt`: decrypts Base64 text with an RSA private key and PKCS #1 v1.5 padding.
 *
 * @see OpenTofu funcs.RsaDecryptFunc
 */
export const rsaDecryptFunction: CtyFunction = defineFunction({
  description: "Decrypts a Base64 text with an RSA private key.",
  params: [
    { name: "ciphertext", type: string },
    { name: "privatekey", type: string },
  ],
  type: string,
  refineResult: { notNull: true },
  impl: ([ciphertext, privateKey]) => {
    const text = stringOf(ciphertext);
    const bytes = decodeBase64(text);
    if (!(bytes instanceof Uint8Array)) {
      throw argumentError(0, `failed to decode input ${goQuote(text)}: cipher text must be base64-encoded`);
    }
    return of(string, Buffer.from(decrypt(bytes, readPrivateKey(stringOf(privateKey)))).toString("utf8"));
  },
});

function readPrivateKey(text: string): KeyObject {
  const label = /-----BEGIN ([^-]*)-----/.exec(text)?.[1];
  if (label === undefined) throw argumentError(1, "invalid private key: ssh: no key found");
  if (/^Proc-Type: 4,ENCRYPTED$/m.test(text)) throw argumentError(1, "invalid private key: ssh: this private key is passphrase protected");
  let key: KeyObject;
  try {
    key = label === "OPENSSH PRIVATE KEY" ? openSshPrivateKey(text) : createPrivateKey(text);
  } catch (error) {
    const isKnownLabel = ["RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY", "OPENSSH PRIVATE KEY"].includes(label);
    const reason = isKnownLabel ? "the private key is malformed" : `invalid private key: ssh: unsupported key type ${goQuote(label)}`;
    throw argumentError(1, error instanceof CtyError ? error.message : reason);
  }
  if (key.asymmetricKeyType !== "rsa") throw argumentError(1, "invalid private key type: an RSA key is required");
  return key;
}

/** Minimum length of the random padding between the two zero bytes. @see RFC 8017, section 7.2.2 */
const minPaddingBytes = 8;

/**
 * Decrypts bytes and removes the padding here, because Node returns random bytes instead of an error for an invalid padding. That protects
 * against padding oracles, which are no danger here: a caller that can evaluate the configuration already has the key.
 */
function decrypt(bytes: Uint8Array, key: KeyObject): Uint8Array {
  const fail = (): never => {
    throw new CtyError("INVALID_VALUE", "failed to decrypt: crypto/rsa: decryption error");
  };
  let block: Uint8Array;
  try {
    block = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, bytes);
  } catch {
    return fail();
  }
  const end = block.indexOf(0, 2);
  if (block[0] !== 0 || block[1] !== 2 || end < 2 + minPaddingBytes) return fail();
  return block.subarray(end + 1);
}
