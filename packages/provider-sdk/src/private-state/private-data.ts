// SPDX-License-Identifier: Apache-2.0
import { isRecord } from "../conversion/record.ts";

/** Private data by name, each value as JSON text. */
export type PrivateData = ReadonlyMap<string, string>;

/** The only name in encrypted data. Names with a leading dot are reserved for the SDK. */
const sealedName = ".sealed";

/**
 * Parses stored private data: a JSON object whose values are base64-encoded JSON. This is terraform-plugin-framework's format, so a
 * provider rewritten from Go keeps its data.
 *
 * @throws TypeError, SyntaxError for any other format, such as SDKv2's.
 * @see terraform-plugin-framework internal/privatestate/data.go
 */
export function parsePrivateData(stored: Uint8Array): PrivateData {
  const parsed: unknown = JSON.parse(strictText(stored));
  if (!isRecord(parsed)) throw new TypeError("it is not a JSON object");
  return new Map(
    Object.entries(parsed).map(([name, value]) => {
      if (typeof value !== "string") throw new TypeError(`${JSON.stringify(name)} is not a string`);
      const text = strictText(Buffer.from(value, "base64"));
      JSON.parse(text);
      return [name, text];
    }),
  );
}

/** Formats data for storage, with sorted names. Returns no bytes if there are no names. */
export function formatPrivateData(data: PrivateData): Uint8Array {
  if (data.size === 0) return new Uint8Array(0);
  const entries = [...data].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, text]) => [name, Buffer.from(text).toString("base64")]);
  return Buffer.from(JSON.stringify(Object.fromEntries(entries)));
}

/** Encrypted private data. */
export interface SealedData {
  readonly version: 1;
  /** Id of the key. */
  readonly key: string;
  /** Distinguishes keys with the same id, and does not reveal the key. */
  readonly check: string;
  /** Base64. */
  readonly nonce: string;
  /** Base64: cipher text and tag. */
  readonly data: string;
}

/** Returns the sealed form of stored data, or undefined if it is plain text. @throws TypeError if the sealed form is invalid. */
export function sealedIn(data: PrivateData): SealedData | undefined {
  const text = data.get(sealedName);
  if (text === undefined) return undefined;
  const sealed: unknown = JSON.parse(text);
  if (data.size > 1) throw new TypeError("it contains other names beside the encrypted data");
  if (!isRecord(sealed) || sealed["version"] !== 1)
    throw new TypeError("its encryption format is not supported by this version of the SDK");
  for (const part of ["key", "check", "nonce", "data"]) {
    if (typeof sealed[part] !== "string") throw new TypeError(`its ${part} is missing`);
  }
  return sealed as object as SealedData;
}

/** Formats sealed data for storage. It has the same format as plain private data. */
export function formatSealedData(sealed: SealedData): Uint8Array {
  return formatPrivateData(new Map([[sealedName, JSON.stringify(sealed)]]));
}

function strictText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
