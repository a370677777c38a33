// SPDX-License-Identifier: Apache-2.0
import {
  errorDiagnostic,
  hasErrors,
  stateChunks,
  type Diagnostic,
  type ReadStateBytesChunk,
  type ReadStateBytesRequest,
} from "@tenon/schema";
import { aboutStateStore } from "../call/rpc.ts";
import { runHandler } from "../call/server-call.ts";
import { openStateStore } from "./state-store-call.ts";
import { drainDiagnostics, type StreamRpc } from "../call/stream-rpc.ts";

/** Sends a state in chunks of the negotiated size; no chunk for a state that does not exist. */
export const readStateBytes: StreamRpc<ReadStateBytesRequest, ReadStateBytesChunk> = {
  name: "ReadStateBytes",
  logFields: aboutStateStore,
  async *run(instance, { typeName, stateId }, call) {
    const access = openStateStore(instance, typeName, `read state ${JSON.stringify(stateId)}`, call);
    let state = new Uint8Array(0);
    if (access !== undefined) {
      const { stateStore, context } = access;
      const read = await runHandler(call, `Cannot read state ${stateId}`, () => stateStore.read({ ...context, stateId }));
      if (read.ok && read.value instanceof Uint8Array) state = read.value as typeof state;
      else if (read.ok && read.value !== undefined && read.value !== null) {
        call.diagnostics.push(
          errorDiagnostic(
            "Invalid result from the provider",
            `read of ${typeName} must return bytes (a Uint8Array), or undefined. This is a bug in the provider.`,
          ),
        );
      }
    }
    const diagnostics = drainDiagnostics(call);
    if (access === undefined || hasErrors(diagnostics)) yield onlyDiagnostics(diagnostics);
    else yield* chunksOf(state, access.chunkSize, diagnostics);
  },
  failed: (_request, diagnostics) => onlyDiagnostics(diagnostics),
};

function onlyDiagnostics(diagnostics: readonly Diagnostic[]): ReadStateBytesChunk {
  return { bytes: new Uint8Array(0), totalLength: 0, start: 0, end: 0, diagnostics };
}

function* chunksOf(state: Uint8Array, chunkSize: number, warnings: readonly Diagnostic[]): Generator<ReadStateBytesChunk> {
  if (state.length === 0 && warnings.length > 0) yield onlyDiagnostics(warnings);
  for (const chunk of stateChunks(state, chunkSize)) yield { ...chunk, diagnostics: chunk.start === 0 ? warnings : [] };
}
