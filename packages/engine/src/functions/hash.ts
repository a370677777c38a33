// SPDX-License-Identifier: Apache-2.0
import { createHash, type BinaryToTextEncoding } from "node:crypto";
import { of, string } from "@tenon/cty";
import { defineFunction, type CtyFunction } from "@tenon/cty/function";
import { stringOf } from "@tenon/cty/unstable/native";

/** A hash algorithm and the text form of its digest. */
export interface Digest {
  readonly algorithm: "md5" | "sha1" | "sha256" | "sha512";
  readonly encoding: BinaryToTextEncoding;
}

/** The digests by the names of the functions that compute them. */
export const digests: Readonly<Record<string, Digest>> = {
  md5: { algorithm: "md5", encoding: "hex" },
  sha1: { algorithm: "sha1", encoding: "hex" },
  sha256: { algorithm: "sha256", encoding: "hex" },
  sha512: { algorithm: "sha512", encoding: "hex" },
  base64sha256: { algorithm: "sha256", encoding: "base64" },
  base64sha512: { algorithm: "sha512", encoding: "base64" },
};

/** The digest of a string's UTF-8 bytes, or of a file's bytes. */
export function digestOf(data: string | Uint8Array, { algorithm, encoding }: Digest): string {
  return createHash(algorithm).update(data).digest(encoding);
}

/**
 * A function that hashes the UTF-8 bytes of a string.
 *
 * @see OpenTofu funcs.makeStringHashFunction
 */
export function hashFunction(digest: Digest): CtyFunction {
  return defineFunction({
    description: `Returns the ${digest.algorithm.toUpperCase()} digest of a string in ${digest.encoding}.`,
    params: [{ name: "str", type: string }],
    type: string,
    refineResult: { notNull: true },
    impl: ([text]) => of(string, digestOf(stringOf(text), digest)),
  });
}
