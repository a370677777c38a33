// SPDX-License-Identifier: Apache-2.0
import { isRecord } from "../conversion/record.ts";

/** Private data by name, each value as JSON text. */
export type PrivateData = Map<string, string>;

/** The one name of stored data that is encrypted. Names with a dot in front belong to whoever serves the provider. */
const sealedName = ".sealed";

/**
 * Reads stored private data: a JSON object whose values are JSON in base64, as terraform-plugin-framework stores them, so that a
 * provider can be rewritten without losing it.
 *
 * @throws TypeError, SyntaxError for anything else: what SDKv2 stored, or what nobody wrote like this.
 * @see terraform-plugin-framework internal/privatestate/data.go
 */
export function parsePrivateData(stored: Uint8Array): PrivateData {
  const parsed: unknown = JSON.parse(strictText(stored));
  if (!isRecord(parsed)) throw new TypeError("it is no JSON object");
  return new Map(
    Object.entries(parsed).map(([name, value]) => {
      if (typeof value !== "string") throw new TypeError(`${JSON.stringify(name)} is no text`);
      const text = strictText(Buffer.from(value, "base64"));
      JSON.parse(text);
      return [name, text];
    }),
  );
}

/** The data as it is stored: names in order, and nothing at all where there are none. */
export function formatPrivateData(data: PrivateData): Uint8Array {
  if (data.size === 0) return new Uint8Array(0);
  const entries = [...data].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, text]) => [name, Buffer.from(text).toString("base64")]);
  return Buffer.from(JSON.stringify(Object.fromEntries(entries)));
}

/** What encryption makes of private data. */
export interface SealedData {
  readonly version: 1;
  /** Id of the key. */
  readonly key: string;
  /** Tells one key from another under the same id, and says nothing of either. */
  readonly check: string;
  /** Base64. */
  readonly nonce: string;
  /** Base64: cipher text and tag. */
  readonly data: string;
}

/** The sealed form of stored data, or undefined where it is in plain text. @throws TypeError where it is sealed in no known way. */
export function sealedIn(data: PrivateData): SealedData | undefined {
  const text = data.get(sealedName);
  if (text === undefined) return undefined;
  const sealed: unknown = JSON.parse(text);
  if (data.size > 1) throw new TypeError("something stands beside what is encrypted");
  if (!isRecord(sealed) || sealed["version"] !== 1) throw new TypeError("it is encrypted in a way that this version does not know");
  for (const part of ["key", "check", "nonce", "data"]) {
    if (typeof sealed[part] !== "string") throw new TypeError(`its ${part} is missing`);
  }
  return sealed as object as SealedData;
}

/** Sealed data as it is stored: private data like any other to whoever cannot read it. */
export function formatSealedData(sealed: SealedData): Uint8Array {
  return formatPrivateData(new Map([[sealedName, JSON.stringify(sealed)]]));
}

function strictText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
