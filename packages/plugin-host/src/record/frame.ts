// SPDX-License-Identifier: Apache-2.0
import type { Node } from "./node.ts";

/**
 * One entry of a recording, in the order things happened. Calls are told apart by their number, so they may be under way at a time.
 *
 * - `header`: the version of the format, and whether secrets are in it. The first frame.
 * - `type`: a cty type as JSON, by the number that later frames call it by.
 * - `call`: a request was made, so many milliseconds after the recording began.
 * - `chunk`, `chunksEnd`: parts of a request that is a stream.
 * - `answer`, `error`: how a call with one answer ended; `error` ends a stream too.
 * - `item`, `end`, `break`: the elements of an answer that is a stream; `break` where the consumer wanted no more.
 * - `close`: the provider was closed. The last frame of a recording that ended in good order.
 */
export type Frame =
  | readonly ["header", version: number, secrets: SecretHandling]
  | readonly ["type", id: number, json: string]
  | readonly ["call", id: number, method: string, request: Node, atMs: number]
  | readonly ["chunk", id: number, chunk: Node]
  | readonly ["chunksEnd", id: number]
  | readonly ["answer", id: number, response: Node]
  | readonly ["error", id: number, error: Node]
  | readonly ["item", id: number, item: Node]
  | readonly ["end", id: number]
  | readonly ["break", id: number]
  | readonly ["close"];

/** What becomes of secrets in a recording. */
export type SecretHandling = "mask" | "keep";
