// SPDX-License-Identifier: Apache-2.0
import type * as OpenPgp from "openpgp";
import { PluginHostError } from "../../error.ts";
import type { PackageHash } from "../package/package-hash.ts";
import type { PackageCheck } from "./package-check.ts";

/**
 * The policy for signatures.
 *
 * - `opentofu`: a registry that lists keys must sign with one of them; OpenTofu's default registry may list none. An expired key or
 *   signature is a warning.
 * - `terraform`: every registry must sign. An expired key or signature is a warning.
 * - `strict`: every registry must sign with a key that has not expired.
 */
export type SignaturePolicy = "opentofu" | "terraform" | "strict";

/** A `SHA256SUMS` file with its signature and the keys of its registry. */
export interface SignedChecksums {
  readonly document: Uint8Array;
  /** Detached, binary. */
  readonly signature: Uint8Array;
  /** Armoured public keys that the registry lists for the provider. */
  readonly keys: readonly string[];
}

/**
 * Checks that the checksums are signed by one of the keys.
 *
 * @param what - the provider and its version, for errors
 * @param mayBeUnsigned - whether the registry may list no keys for a provider
 * @see OpenTofu internal/getproviders, signatureAuthentication
 */
export function checkSignature(what: string, sums: SignedChecksums, policy: SignaturePolicy, mayBeUnsigned: boolean): PackageCheck {
  return async () => {
    const reported = hashesOf(sums.document);
    if (sums.keys.length === 0 && mayBeUnsigned && policy === "opentofu") {
      return { reported, warnings: [`${what} is not signed: its registry lists no keys for it`] };
    }
    if (sums.keys.length === 0) throw new PluginHostError("SIGNATURE_INVALID", `${what} is not signed: its registry lists no keys for it`);
    const { keyId, expired } = await findSigner(what, sums);
    if (expired === undefined) return { reported, signedBy: [keyId] };
    const message = `${what} is signed with the key ${keyId}, but ${expired}`;
    if (policy === "strict") throw new PluginHostError("SIGNATURE_INVALID", message);
    return { reported, signedBy: [keyId], warnings: [message] };
  };
}

/** Checks that the checksum file has this SHA-256 for a file name. */
export function checkListed(what: string, document: Uint8Array, filename: string, sha256: string): PackageCheck {
  return async () => {
    const lines = new TextDecoder().decode(document).split("\n");
    const line = lines.map((text) => text.trim().split(/\s+/)).find(([, name]) => name === filename);
    if (!line) throw new PluginHostError("CHECKSUM_MISMATCH", `the checksums of ${what} do not list ${JSON.stringify(filename)}`);
    if (line[0]?.toLowerCase() === sha256) return {};
    const message = `the checksums of ${what} list ${line[0]} for ${JSON.stringify(filename)}, but its registry reports ${sha256}`;
    throw new PluginHostError("CHECKSUM_MISMATCH", message);
  };
}

function hashesOf(document: Uint8Array): PackageHash[] {
  const lines = new TextDecoder().decode(document).split("\n");
  const sums = lines.map((line) => line.trim().split(/\s+/)).filter((parts) => parts.length > 1);
  // A file in another format is not a checksum file, and none of its lines is trusted.
  if (!sums.every(([sum = ""]) => /^[0-9a-f]{64}$/i.test(sum))) return [];
  return sums.map(([sum = ""]): PackageHash => `zh:${sum.toLowerCase()}`);
}

interface Signer {
  readonly keyId: string;
  /** Text about the expired key or signature; undefined if neither has expired. */
  readonly expired: string | undefined;
}

async function findSigner(what: string, { document, signature: bytes, keys }: SignedChecksums): Promise<Signer> {
  const openpgp = await loadOpenPgp();
  const invalid = (reason: string, cause?: unknown): PluginHostError =>
    new PluginHostError("SIGNATURE_INVALID", `${what} has no valid signature: ${reason}`, cause === undefined ? {} : { cause });
  const signature = await openpgp.readSignature({ binarySignature: bytes }).catch((cause: unknown) => {
    throw invalid("its signature cannot be read", cause);
  });
  const [packet] = signature.packets;
  if (!packet) throw invalid("its signature is empty");
  const issuers = new Set(signature.getSigningKeyIDs().map((id) => id.toHex()));
  let expiredSigner: Signer | undefined;
  for (const armoredKey of keys) {
    const key = await openpgp.readKey({ armoredKey }).catch((cause: unknown) => {
      throw invalid("one of its registry's keys cannot be read", cause);
    });
    if (!key.getKeys().some((part) => issuers.has(part.getKeyID().toHex()))) continue;
    // The key must have been valid when it signed; a key that expired later is reported separately.
    const message = await openpgp.createMessage({ binary: document });
    const date = packet.created ?? new Date();
    const { signatures } = await openpgp.verify({ message, signature, verificationKeys: key, date, format: "binary" });
    await signatures[0]?.verified.catch((cause: unknown) => {
      throw invalid(cause instanceof Error ? cause.message : String(cause), cause);
    });
    const expired = await expiryOf(key, packet);
    const signer = { keyId: key.getKeyID().toHex().toUpperCase(), expired };
    if (expired === undefined) return signer;
    expiredSigner ??= signer;
  }
  if (expiredSigner) return expiredSigner;
  throw invalid("none of its registry's keys signed it");
}

async function expiryOf(
  key: { getExpirationTime(): Promise<Date | typeof Infinity | null> },
  packet: { readonly created: Date | null; readonly signatureExpirationTime: number | null; readonly signatureNeverExpires: boolean },
): Promise<string | undefined> {
  const until = await key.getExpirationTime();
  if (until === null) return "the key has been revoked";
  if (until instanceof Date && until.getTime() <= Date.now()) return `the key expired on ${until.toISOString().slice(0, 10)}`;
  const seconds = packet.signatureNeverExpires ? null : packet.signatureExpirationTime;
  if (!seconds || !packet.created) return undefined;
  const end = new Date(packet.created.getTime() + seconds * 1_000);
  return end.getTime() <= Date.now() ? `the signature expired on ${end.toISOString().slice(0, 10)}` : undefined;
}

/** Loads openpgp, which is large and slow to load, only to verify a signature. */
async function loadOpenPgp(): Promise<typeof OpenPgp> {
  try {
    return await import("openpgp");
  } catch (cause) {
    const message = 'the signature of a provider cannot be verified because the package "openpgp" is not installed: npm install openpgp';
    throw new PluginHostError("SIGNATURE_INVALID", message, { cause });
  }
}
