// SPDX-License-Identifier: Apache-2.0
import type { StateChunk, WriteStateBytesRequest } from "../messages/state-store.ts";
import type { WriteStateBytesMessage } from "./rpc/state-store.ts";
import { WireError } from "./wire-error.ts";

/** Reads the stream of WriteStateBytes: the target of the first message, and the chunks as a stream.
 *
 * @throws WireError where the first message has no target.
 */
export async function uploadedState(messages: AsyncIterable<WriteStateBytesMessage>): Promise<WriteStateBytesRequest> {
  const iterator = messages[Symbol.asyncIterator]();
  const first = await iterator.next();
  const { meta, chunk } = first.done === true ? {} : first.value;
  if (meta === undefined) {
    await iterator.return?.();
    throw new WireError("FIELD", "meta: the first message does not name the state");
  }
  return { ...meta, chunks: chunksFrom(chunk, iterator) };
}

async function* chunksFrom(first: StateChunk | undefined, rest: AsyncIterator<WriteStateBytesMessage>): AsyncIterable<StateChunk> {
  try {
    if (first !== undefined) yield first;
    for (;;) {
      const next = await rest.next();
      if (next.done === true) return;
      if (next.value.chunk !== undefined) yield next.value.chunk;
    }
  } finally {
    await rest.return?.();
  }
}
