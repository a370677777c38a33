// SPDX-License-Identifier: Apache-2.0

/** A header block that cannot be decoded. Since the decoder's table is lost with it, HTTP/2 ends the connection. */
export class CompressionError extends Error {
  override readonly name = "CompressionError";
}
