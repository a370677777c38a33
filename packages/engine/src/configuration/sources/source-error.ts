// SPDX-License-Identifier: Apache-2.0

/** An error in fetching the package of a module. The installer reports it as a diagnostic. */
export class SourceError extends Error {
  override readonly name = "SourceError";
}
