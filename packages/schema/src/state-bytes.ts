// SPDX-License-Identifier: Apache-2.0
import type { StateChunk } from "./messages/state-store.ts";

/** A state as it arrived, or what is wrong with how it did. */
export type ReceivedState = { readonly state: Uint8Array } | { readonly fault: string };

/**
 * Puts a state together from its pieces: in order, without a gap, each of the size that was settled on but for the last, together as
 * long as they say. A state that did not arrive whole must not replace one that is.
 *
 * @param chunkSize The size that was settled on, in bytes. Left out, pieces may be of any size.
 * @see terraform-plugin-framework internal/fwserver, WriteStateBytes
 */
export async function receiveState(chunks: AsyncIterable<StateChunk>, chunkSize?: number): Promise<ReceivedState> {
  const pieces: Uint8Array[] = [];
  let received = 0;
  let totalLength: number | undefined;
  for await (const { bytes, totalLength: said, start, end } of chunks) {
    totalLength ??= said;
    const piece = `piece ${pieces.length + 1}`;
    if (said !== totalLength) return { fault: `${piece} says that the state is ${said} bytes long, and the first said ${totalLength}` };
    if (bytes.length === 0) return { fault: `${piece} is empty` };
    if (start !== received || end !== start + bytes.length - 1) {
      return { fault: `${piece} has bytes ${start} to ${end}, where ${bytes.length} bytes from ${received} on were due` };
    }
    received += bytes.length;
    if (received > totalLength) return { fault: `${piece} goes beyond the ${totalLength} bytes of the state` };
    if (chunkSize !== undefined && (bytes.length > chunkSize || (bytes.length < chunkSize && received < totalLength))) {
      return { fault: `${piece} has ${bytes.length} bytes, and the size that was settled on is ${chunkSize}` };
    }
    pieces.push(bytes);
  }
  if (totalLength === undefined) return { fault: "there is nothing to write" };
  if (received < totalLength) return { fault: `${received} bytes arrived of ${totalLength}` };
  return { state: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces) };
}

/** A state in pieces of a size in bytes; the last is what is left. Of an empty state there is none. */
export function* stateChunks(state: Uint8Array, chunkSize: number): Generator<StateChunk, void> {
  for (let start = 0; start < state.length; start += chunkSize) {
    const bytes = state.subarray(start, start + chunkSize);
    yield { bytes, totalLength: state.length, start, end: start + bytes.length - 1 };
  }
}
