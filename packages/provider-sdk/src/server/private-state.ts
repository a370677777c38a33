// SPDX-License-Identifier: Apache-2.0
import { warningDiagnostic, type Diagnostic } from "@tenon/schema";
import type { JsonValue, PrivateState } from "../definition/call-context.ts";
import { isRecord } from "../conversion/record.ts";

/** Private data of one resource while a call is handled. */
export interface OpenPrivateState extends PrivateState {
  /** The data as it is stored; empty where there is none. */
  readonly bytes: () => Uint8Array;
}

const nothing = new Uint8Array(0);

/**
 * Opens stored private data: a JSON object with values in base64, as terraform-plugin-framework stores them, so that a provider
 * can be rewritten without losing it. What cannot be read is dropped with a warning: it is of no use to anyone.
 *
 * @see terraform-plugin-framework internal/privatestate/data.go
 */
export function openPrivateState(stored: Uint8Array, diagnostics: Diagnostic[]): OpenPrivateState {
  const data = new Map<string, string>();
  try {
    for (const [name, value] of stored.length === 0 ? [] : entriesOf(stored)) data.set(name, value);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    diagnostics.push(warningDiagnostic("Private data discarded", `What the provider stored with this resource cannot be read: ${why}`));
  }
  return {
    get: (name) => {
      const value = data.get(checked(name));
      return value === undefined ? undefined : (JSON.parse(Buffer.from(value, "base64").toString("utf8")) as JsonValue);
    },
    set: (name, value) => {
      const text = JSON.stringify(value) as string | undefined;
      if (text === undefined) throw new TypeError(`private state ${JSON.stringify(name)}: the value is nothing that JSON can carry`);
      data.set(checked(name), Buffer.from(text).toString("base64"));
    },
    delete: (name) => void data.delete(checked(name)),
    bytes: () =>
      data.size === 0 ? nothing : Buffer.from(JSON.stringify(Object.fromEntries([...data].toSorted(([a], [b]) => (a < b ? -1 : 1))))),
  };
}

function entriesOf(stored: Uint8Array): readonly (readonly [string, string])[] {
  const parsed: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(stored));
  if (!isRecord(parsed)) throw new TypeError("it is no JSON object");
  return Object.entries(parsed).map(([name, value]) => {
    if (typeof value !== "string") throw new TypeError(`${JSON.stringify(name)} is no text`);
    return [name, value];
  });
}

/** Names with a dot in front belong to whoever serves the provider. */
function checked(name: string): string {
  if (name === "" || name.startsWith("."))
    throw new TypeError(`private state has no name ${JSON.stringify(name)}: it is not empty, and does not begin with a dot`);
  return name;
}
