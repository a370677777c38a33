// SPDX-License-Identifier: Apache-2.0
import type { Node } from "./node.ts";

/**
 * One entry of a recording, in order of time. Calls have numbers, because several may be in flight.
 *
 * - `header`: the version of the format, and whether secrets are masked. The first frame.
 * - `type`: a cty type as JSON, with the number that later frames refer to.
 * - `call`: a request, with its time in milliseconds since the recording began.
 * - `chunk`, `chunksEnd`: the parts of a streamed request.
 * - `answer`, `error`: the result of a unary call; `error` also ends a stream.
 * - `item`, `end`, `break`: the elements of a streamed response; `break` if the consumer ended it.
 * - `close`: the provider was closed. The last frame of a complete recording.
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

/** Whether a recording masks secrets or keeps them. */
export type SecretHandling = "mask" | "keep";
