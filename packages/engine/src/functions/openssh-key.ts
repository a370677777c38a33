// SPDX-License-Identifier: Apache-2.0
import { createPrivateKey, type KeyObject } from "node:crypto";
import { CtyError } from "@tenon/cty";

const magic = "openssh-key-v1\0";

/**
 * Reads an RSA private key in OpenSSH's own format, without a passphrase.
 *
 * @throws CtyError `INVALID_VALUE` for a key with a passphrase, of another algorithm, or malformed.
 * @see OpenSSH PROTOCOL.key
 */
export function openSshPrivateKey(pem: string): KeyObject {
  const body = /-----BEGIN OPENSSH PRIVATE KEY-----([\s\S]*?)-----END OPENSSH PRIVATE KEY-----/.exec(pem)?.[1];
  if (body === undefined) throw keyError("ssh: no key found");
  const bytes = Buffer.from(body, "base64");
  if (bytes.subarray(0, magic.length).toString("latin1") !== magic) throw keyError("ssh: invalid openssh private key format");
  const outer = new Fields(bytes.subarray(magic.length));
  const cipher = outer.text();
  outer.text(); // key derivation function
  outer.bytes(); // its options
  if (cipher !== "none") throw keyError("ssh: this private key is passphrase protected");
  if (outer.number() !== 1) throw keyError("ssh: multi-key files are not supported");
  outer.bytes(); // the public key
  const inner = new Fields(outer.bytes());
  if (inner.number() !== inner.number()) throw keyError("ssh: malformed OpenSSH key");
  const algorithm = inner.text();
  if (algorithm !== "ssh-rsa") throw keyError(`ssh: an RSA key is required, not ${algorithm}`);
  const [n, e, d, qi, p, q] = [inner.bytes(), inner.bytes(), inner.bytes(), inner.bytes(), inner.bytes(), inner.bytes()];
  const exponent = integerOf(d);
  const partial = (prime: Uint8Array): string => encodeInteger(exponent % (integerOf(prime) - 1n));
  const key = {
    kty: "RSA",
    n: encodeBytes(n),
    e: encodeBytes(e),
    d: encodeBytes(d),
    p: encodeBytes(p),
    q: encodeBytes(q),
    qi: encodeBytes(qi),
  };
  return createPrivateKey({ key: { ...key, dp: partial(p), dq: partial(q) }, format: "jwk" });
}

function keyError(reason: string): CtyError {
  return new CtyError("INVALID_VALUE", `invalid private key: ${reason}`);
}

function integerOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString("hex") || "0"}`);
}

function encodeInteger(integer: bigint): string {
  const hex = integer.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex").toString("base64url");
}

/** Encodes the bytes of an integer without the zero byte that keeps it positive. */
function encodeBytes(bytes: Uint8Array): string {
  return encodeInteger(integerOf(bytes));
}

/** Reads the length-prefixed fields of SSH. @see RFC 4251, section 5 */
class Fields {
  #rest: Buffer;

  constructor(bytes: Uint8Array) {
    this.#rest = Buffer.from(bytes);
  }

  number(): number {
    if (this.#rest.length < 4) throw keyError("ssh: malformed OpenSSH key");
    const value = this.#rest.readUInt32BE();
    this.#rest = this.#rest.subarray(4);
    return value;
  }

  bytes(): Uint8Array {
    const length = this.number();
    if (length > this.#rest.length) throw keyError("ssh: malformed OpenSSH key");
    const value = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return value;
  }

  text(): string {
    return Buffer.from(this.bytes()).toString("utf8");
  }
}
