// SPDX-License-Identifier: Apache-2.0
import type { DiagnosticsResponse } from "../../messages/common.ts";
import type {
  ConfigureStateStoreRequest,
  ConfigureStateStoreResponse,
  DeleteStateRequest,
  GetStatesRequest,
  GetStatesResponse,
  LockStateRequest,
  LockStateResponse,
  ReadStateBytesChunk,
  ReadStateBytesRequest,
  StateChunk,
  UnlockStateRequest,
  ValidateStateStoreConfigRequest,
} from "../../messages/state-store.ts";
import { diagnostics, diagnosticsIn, type DiagnosticInit, type DiagnosticWire } from "../kind/diagnostics.ts";
import type { Kind } from "../kind/kind.ts";
import { readInteger, text, texts, writeInteger } from "../kind/scalar.ts";
import { value, type DynamicValueInit, type DynamicValueWire } from "../kind/value.ts";
import type { StateStoreMethods } from "../methods.ts";
import { bind, type RpcTable } from "../rpc-table.ts";
import type { Rpcs, StreamRpc, UploadRpc } from "../rpc.ts";
import { ofStateStore } from "../types.ts";

const validateStateStoreConfig = {
  named: "typeName",
  request: { typeName: text, config: value(ofStateStore) },
  response: { diagnostics: diagnosticsIn(ofStateStore) },
} as const satisfies RpcTable<ValidateStateStoreConfigRequest, DiagnosticsResponse>;

interface CapabilitiesWire {
  readonly chunkSize: bigint;
}

const config = value(ofStateStore);

/** Written by hand, because the chunk size is a capability in the message. */
const configureStateStoreRequest: Kind<
  ConfigureStateStoreRequest,
  { readonly typeName: string; readonly config?: DynamicValueWire | undefined; readonly capabilities?: CapabilitiesWire | undefined },
  { typeName: string; config: DynamicValueInit; capabilities: CapabilitiesWire }
> = {
  needs: "schemas",
  read: (wire, types) => ({
    typeName: wire.typeName,
    config: config.read(wire.config, types),
    chunkSize: readInteger(wire.capabilities?.chunkSize ?? 0n),
  }),
  write: (model, types) => ({
    typeName: model.typeName,
    config: config.write(model.config, types),
    capabilities: { chunkSize: writeInteger(model.chunkSize) },
  }),
};

const configureStateStoreResponse: Kind<
  ConfigureStateStoreResponse,
  { readonly diagnostics: readonly DiagnosticWire[]; readonly capabilities?: CapabilitiesWire | undefined },
  { diagnostics: DiagnosticInit[]; capabilities: CapabilitiesWire }
> = {
  read: (wire, types) => ({
    diagnostics: diagnostics.read(wire.diagnostics, types),
    chunkSize: readInteger(wire.capabilities?.chunkSize ?? 0n),
  }),
  write: (model, types) => ({
    diagnostics: diagnosticsIn(ofStateStore).write(model.diagnostics, types),
    capabilities: { chunkSize: writeInteger(model.chunkSize) },
  }),
};

const configureStateStore = {
  named: "typeName",
  request: configureStateStoreRequest,
  response: configureStateStoreResponse,
} as const satisfies RpcTable<ConfigureStateStoreRequest, ConfigureStateStoreResponse>;

interface ChunkWire {
  readonly bytes: Uint8Array;
  readonly totalLength: bigint;
  readonly range?: { readonly start: bigint; readonly end: bigint } | undefined;
}
type ChunkInit = { bytes: Uint8Array; totalLength: bigint; range: { start: bigint; end: bigint } };

function readChunk(wire: ChunkWire): StateChunk {
  return {
    bytes: wire.bytes,
    totalLength: readInteger(wire.totalLength),
    start: readInteger(wire.range?.start ?? 0n),
    end: readInteger(wire.range?.end ?? 0n),
  };
}

function writeChunk(model: StateChunk): ChunkInit {
  return {
    bytes: model.bytes,
    totalLength: writeInteger(model.totalLength),
    range: { start: writeInteger(model.start), end: writeInteger(model.end) },
  };
}

/** Written by hand like the next one, because start and end are a range in the message. */
const readStateBytesChunk: Kind<
  ReadStateBytesChunk,
  ChunkWire & { readonly diagnostics: readonly DiagnosticWire[] },
  ChunkInit & { diagnostics: DiagnosticInit[] }
> = {
  read: (wire, types) => ({ ...readChunk(wire), diagnostics: diagnostics.read(wire.diagnostics, types) }),
  write: (model, types) => ({ ...writeChunk(model), diagnostics: diagnostics.write(model.diagnostics, types) }),
};

const readStateBytes = {
  request: { typeName: text, stateId: text },
  response: readStateBytesChunk,
} as const satisfies RpcTable<ReadStateBytesRequest, ReadStateBytesChunk>;

/** Message of the stream of WriteStateBytes. The first one has the target, and may have no chunk. */
export interface WriteStateBytesMessage {
  readonly meta?: StateTarget;
  readonly chunk?: StateChunk;
}

interface StateTarget {
  readonly typeName: string;
  readonly stateId: string;
}

const writeStateBytesMessage: Kind<
  WriteStateBytesMessage,
  ChunkWire & { readonly meta?: StateTarget | undefined },
  { meta?: StateTarget } & Partial<ChunkInit>
> = {
  read: (wire) => ({
    ...(wire.meta === undefined ? {} : { meta: { typeName: wire.meta.typeName, stateId: wire.meta.stateId } }),
    ...(wire.bytes.length === 0 && wire.range === undefined ? {} : { chunk: readChunk(wire) }),
  }),
  write: (model) => ({
    ...(model.meta === undefined ? {} : { meta: model.meta }),
    ...(model.chunk === undefined ? {} : writeChunk(model.chunk)),
  }),
};

const writeStateBytes = {
  request: writeStateBytesMessage,
  response: { diagnostics },
} as const satisfies RpcTable<WriteStateBytesMessage, DiagnosticsResponse>;

const lockState = {
  request: { typeName: text, stateId: text, operation: text },
  response: { lockId: text, diagnostics },
} as const satisfies RpcTable<LockStateRequest, LockStateResponse>;

const unlockState = {
  request: { typeName: text, stateId: text, lockId: text },
  response: { diagnostics },
} as const satisfies RpcTable<UnlockStateRequest, DiagnosticsResponse>;

const getStates = {
  request: { typeName: text },
  response: { stateIds: texts, diagnostics },
} as const satisfies RpcTable<GetStatesRequest, GetStatesResponse>;

const deleteState = {
  request: { typeName: text, stateId: text },
  response: { diagnostics },
} as const satisfies RpcTable<DeleteStateRequest, DiagnosticsResponse>;

/** RPCs about state stores, which only protocol 6 has. */
export interface StateStoreRpcs extends Rpcs<
  "validateStateStoreConfig" | "configureStateStore" | "lockState" | "unlockState" | "getStates" | "deleteState"
> {
  readonly readStateBytes: StreamRpc<"readStateBytes">;
  readonly writeStateBytes: UploadRpc<WriteStateBytesMessage, DiagnosticsResponse>;
}

/** Returns the RPCs about state stores. */
export function stateStoreRpcs(methods: StateStoreMethods): StateStoreRpcs {
  return {
    validateStateStoreConfig: bind(validateStateStoreConfig, methods.validateStateStoreConfig),
    configureStateStore: bind(configureStateStore, methods.configureStateStore),
    readStateBytes: bind(readStateBytes, methods.readStateBytes),
    writeStateBytes: bind(writeStateBytes, methods.writeStateBytes),
    lockState: bind(lockState, methods.lockState),
    unlockState: bind(unlockState, methods.unlockState),
    getStates: bind(getStates, methods.getStates),
    deleteState: bind(deleteState, methods.deleteState),
  };
}
