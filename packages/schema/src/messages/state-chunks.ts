// SPDX-License-Identifier: Apache-2.0
import type { StateChunk } from "./state-store.ts";

/** A complete state, or the violation in its chunks. */
export type ReceivedState = { readonly state: Uint8Array } | { readonly fault: string };

/** Joins the chunks of a state. They must be in order and without a gap, of the negotiated size except for the last one, and their sizes must add up to `totalLength`: an incomplete state must not replace a complete one.
 *
 * @param chunkSize - Negotiated size of a chunk in bytes. Default: chunks may have any size.
 * @see terraform-plugin-framework internal/fwserver, WriteStateBytes
 */
export async function receiveState(chunks: AsyncIterable<StateChunk>, chunkSize?: number): Promise<ReceivedState> {
  const parts: Uint8Array[] = [];
  let received = 0;
  let totalLength: number | undefined;
  for await (const { bytes, totalLength: ownTotal, start, end } of chunks) {
    totalLength ??= ownTotal;
    const chunk = `chunk ${parts.length + 1}`;
    if (ownTotal !== totalLength)
      return { fault: `${chunk} gives the length of the state as ${ownTotal} bytes, the first chunk as ${totalLength}` };
    if (bytes.length === 0) return { fault: `${chunk} is empty` };
    if (start !== received || end !== start + bytes.length - 1) {
      return { fault: `${chunk} has the range ${start} to ${end}, expected ${bytes.length} bytes from ${received}` };
    }
    received += bytes.length;
    if (received > totalLength) return { fault: `${chunk} exceeds the ${totalLength} bytes of the state` };
    if (chunkSize !== undefined && (bytes.length > chunkSize || (bytes.length < chunkSize && received < totalLength))) {
      return { fault: `${chunk} has ${bytes.length} bytes, the negotiated size is ${chunkSize}` };
    }
    parts.push(bytes);
  }
  if (totalLength === undefined) return { fault: "there are no chunks" };
  if (received < totalLength) return { fault: `${received} of ${totalLength} bytes arrived` };
  return { state: parts.length === 1 ? parts[0]! : Buffer.concat(parts) };
}

/** Yields a state in chunks of a size in bytes; the last one may be smaller. An empty state has no chunks. */
export function* stateChunks(state: Uint8Array, chunkSize: number): Generator<StateChunk, void> {
  for (let start = 0; start < state.length; start += chunkSize) {
    const bytes = state.subarray(start, start + chunkSize);
    yield { bytes, totalLength: state.length, start, end: start + bytes.length - 1 };
  }
}
