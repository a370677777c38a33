// SPDX-License-Identifier: Apache-2.0

/** A file of a bundle. Its name is relative to the package folder. */
export interface BundledFile {
  readonly name: string;
  readonly content: Uint8Array;
}
