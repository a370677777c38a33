// SPDX-License-Identifier: Apache-2.0
import type * as OpenPgp from "openpgp";
import { PluginHostError } from "../../error.ts";
import type { PackageHash } from "../package/package-hash.ts";
import type { PackageCheck } from "./package-check.ts";

/**
 * What is asked of signatures.
 *
 * - `opentofu`: as OpenTofu does. A registry that lists keys must have signed with one of them; its own default registry may list
 *   none. A key or a signature that has expired is warned of.
 * - `terraform`: as Terraform does. Every registry must have signed; expired ones are warned of.
 * - `strict`: every registry must have signed, with a key that has not expired.
 */
export type SignaturePolicy = "opentofu" | "terraform" | "strict";

/** A `SHA256SUMS` file, who says so, and by which keys. */
export interface SignedChecksums {
  readonly document: Uint8Array;
  /** Detached, binary. */
  readonly signature: Uint8Array;
  /** Armoured public keys that the registry lists for the provider. */
  readonly keys: readonly string[];
}

/**
 * The check sums must be signed by one of the keys.
 *
 * @param what The provider and its version, for errors.
 * @param mayBeUnsigned Whether the registry is the one that lists no keys for some providers.
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

/** The file's own line for a name must say this SHA-256. */
export function checkListed(what: string, document: Uint8Array, filename: string, sha256: string): PackageCheck {
  return async () => {
    const lines = new TextDecoder().decode(document).split("\n");
    const line = lines.map((text) => text.trim().split(/\s+/)).find(([, name]) => name === filename);
    if (!line) throw new PluginHostError("CHECKSUM_MISMATCH", `the check sums of ${what} have none for ${JSON.stringify(filename)}`);
    if (line[0]?.toLowerCase() === sha256) return {};
    const message = `the check sums of ${what} say ${line[0]} for ${JSON.stringify(filename)}, and its registry says ${sha256}`;
    throw new PluginHostError("CHECKSUM_MISMATCH", message);
  };
}

function hashesOf(document: Uint8Array): PackageHash[] {
  const lines = new TextDecoder().decode(document).split("\n");
  const sums = lines.map((line) => line.trim().split(/\s+/)).filter((parts) => parts.length > 1);
  // Anything else is no file of check sums, and nothing in it is to be believed.
  if (!sums.every(([sum = ""]) => /^[0-9a-f]{64}$/i.test(sum))) return [];
  return sums.map(([sum = ""]): PackageHash => `zh:${sum.toLowerCase()}`);
}

interface Signer {
  readonly keyId: string;
  /** What has expired; undefined where nothing has. */
  readonly expired: string | undefined;
}

async function findSigner(what: string, { document, signature: bytes, keys }: SignedChecksums): Promise<Signer> {
  const openpgp = await loadOpenPgp();
  const invalid = (reason: string, cause?: unknown): PluginHostError =>
    new PluginHostError("SIGNATURE_INVALID", `${what} is not signed as it should be: ${reason}`, cause === undefined ? {} : { cause });
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
    // A signature counts by the day it was made: a key that expired since then has signed it nevertheless.
    const message = await openpgp.createMessage({ binary: document });
    const date = packet.created ?? new Date();
    const { signatures } = await openpgp.verify({ message, signature, verificationKeys: key, date, format: "binary" });
    await signatures[0]?.verified.catch((cause: unknown) => {
      throw invalid(cause instanceof Error ? cause.message : String(cause), cause);
    });
    const expired = await whatExpired(key, packet);
    const signer = { keyId: key.getKeyID().toHex().toUpperCase(), expired };
    if (expired === undefined) return signer;
    expiredSigner ??= signer;
  }
  if (expiredSigner) return expiredSigner;
  throw invalid("none of its registry's keys signed it");
}

async function whatExpired(
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

/** Only who verifies a signature needs it: it is large, and starts slowly. */
async function loadOpenPgp(): Promise<typeof OpenPgp> {
  try {
    return await import("openpgp");
  } catch (cause) {
    const message = 'the signature of a provider cannot be verified, as the package "openpgp" is not installed: npm install openpgp';
    throw new PluginHostError("SIGNATURE_INVALID", message, { cause });
  }
}
