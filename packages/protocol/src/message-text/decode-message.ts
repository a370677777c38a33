// SPDX-License-Identifier: Apache-2.0
import { type DescMessage, fromBinary, type Message } from "@bufbuild/protobuf";

/** Decodes a message from its bytes. @throws Error for malformed bytes. */
export function decodeMessage(schema: DescMessage, bytes: Uint8Array): Message {
  return fromBinary(schema, bytes);
}
