// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from "./call-context.ts";

/** An encryption key for private state. */
export interface PrivateStateKey {
  /** Stored with the ciphertext to select the key for decryption. Letters, digits, `.`, `_` and `-`. */
  readonly id: string;
  /**
   * The key itself (32 bytes), or a passphrase of at least 12 characters. The SDK derives the key from a passphrase with scrypt (N = 2^15,
   * r = 8, p = 3: 32 MiB and a few tenths of a second), once per process, before it first reads or writes private state.
   */
  readonly secret: Uint8Array | string;
}

/**
 * Options for the storage of private state. With a key it is encrypted with AES-256-GCM. Without one it is JSON in the format of
 * terraform-plugin-framework, which anyone with access to the state can read.
 */
export interface PrivateStateOptions {
  /**
   * The first key encrypts, all keys decrypt. A function is called once, before private state is first read or written. Default: the
   * environment variable `<NAME>_PRIVATE_STATE_KEYS`, a comma-separated list of `id=passphrase` or `id=base64:<32 bytes>`, where NAME
   * is the provider's name in upper case with underscores. Without keys there is no encryption.
   */
  readonly keys?: readonly PrivateStateKey[] | (() => Awaitable<readonly PrivateStateKey[]>);
  /** Makes it an error to store private state without a key. Default: it is stored as JSON. */
  readonly required?: boolean;
  /** For a migration: also accepts unencrypted data when there is a key. Default: it is rejected, as it may be forged. */
  readonly acceptPlainText?: boolean;
  /**
   * For a migration: encrypts data that is stored under an older key, or unencrypted, again with the first key, even if it has not
   * changed. Default: the stored bytes stay as they are until the data changes.
   */
  readonly rewrite?: boolean;
}
