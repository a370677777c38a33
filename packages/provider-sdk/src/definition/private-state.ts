// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from "./call-context.ts";

/** A key for private state. */
export interface PrivateStateKey {
  /** Stored beside what it encrypts, so that the right key is found again: letters, digits, `.`, `_` and `-`. */
  readonly id: string;
  /**
   * 32 bytes are the key itself; text of at least 12 characters is a passphrase, and the key is derived from it with scrypt
   * (N = 2^15, r = 8, p = 3: 32 MiB and some tenths of a second) once in a process, when something has to be read or written.
   */
  readonly secret: Uint8Array | string;
}

/**
 * How private state is stored: encrypted with AES-256-GCM where there is a key, and otherwise as JSON that everyone who can read
 * the state can read, in the form of terraform-plugin-framework.
 */
export interface PrivateStateOptions {
  /**
   * The first one writes, all of them read; as a function it is asked once, when something has to be read or written. Default: what
   * the environment says in `<NAME>_PRIVATE_STATE_KEYS`, `id=passphrase` or `id=base64:<32 bytes>` with commas between, where NAME
   * is the provider's name in upper case with underscores. None: no encryption.
   */
  readonly keys?: readonly PrivateStateKey[] | (() => Awaitable<readonly PrivateStateKey[]>);
  /** Without a key nothing is stored, and storing fails. Default: it is stored as JSON. */
  readonly required?: true;
  /** For a migration: with a key, data that is not encrypted is read as well. Default: it is refused, as it may be forged. */
  readonly acceptPlainText?: true;
  /**
   * For a migration: what is stored under an older key, or in plain text, is written anew with the first key even though it has not
   * changed. Default: it stays, byte for byte, until it changes.
   */
  readonly rewrite?: true;
}
