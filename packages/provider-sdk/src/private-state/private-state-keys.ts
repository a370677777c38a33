// SPDX-License-Identifier: Apache-2.0
import type { PrivateStateKey, PrivateStateOptions } from "../definition/private-state.ts";

/** Name of the environment variable with a provider's keys. */
export function keysVariable(providerName: string): string {
  return `${providerName.replaceAll("-", "_").toUpperCase()}_PRIVATE_STATE_KEYS`;
}

/** Whether keys may be configured. A cheap check, made before any crypto module is loaded. */
export function mayHaveKeys(providerName: string, options: PrivateStateOptions): boolean {
  return options.keys !== undefined || Boolean(process.env[keysVariable(providerName)]);
}

/**
 * Returns the keys of a provider. The first key encrypts.
 *
 * @throws TypeError with the id of an invalid key, never with its secret.
 */
export async function findKeys(providerName: string, options: PrivateStateOptions): Promise<readonly PrivateStateKey[]> {
  const { keys } = options;
  if (keys === undefined) return keysOfEnvironment(keysVariable(providerName));
  const found = typeof keys === "function" ? await keys() : keys;
  const fault = keysFault(found);
  if (fault !== undefined) throw new TypeError(fault);
  return found;
}

/** Describes the first fault in the keys; undefined if they are valid. */
export function keysFault(keys: readonly PrivateStateKey[]): string | undefined {
  const known = new Set<string>();
  for (const { id, secret } of keys) {
    if (!/^[\w.-]+$/.test(id))
      return `the id ${JSON.stringify(id)} of a private state key must contain only letters, digits, ".", "_" and "-"`;
    if (known.has(id)) return `two private state keys have the id ${id}`;
    known.add(id);
    if (typeof secret === "string" ? secret.length < 12 : !(secret instanceof Uint8Array) || secret.length !== 32)
      return `private state key ${id} is neither 32 bytes nor a passphrase of at least 12 characters`;
  }
  return undefined;
}

function keysOfEnvironment(variable: string): readonly PrivateStateKey[] {
  const keys = (process.env[variable] ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part, index): PrivateStateKey => {
      const at = part.indexOf("=");
      if (at < 1) throw new TypeError(`${variable}: key ${index + 1} is not written id=passphrase or id=base64:<32 bytes>`);
      const text = part.slice(at + 1);
      return { id: part.slice(0, at), secret: text.startsWith("base64:") ? Buffer.from(text.slice("base64:".length), "base64") : text };
    });
  const fault = keysFault(keys);
  if (fault !== undefined) throw new TypeError(`${variable}: ${fault}`);
  return keys;
}
