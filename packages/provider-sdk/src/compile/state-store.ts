// SPDX-License-Identifier: Apache-2.0
import { compileComponent, type ConfiguredComponent, type WrittenComponent } from "./component.ts";
import type { CompiledProvider, Handler } from "./provider.ts";

/** A state store, checked. */
export interface CompiledStateStore extends ConfiguredComponent {
  readonly kind: "stateStore";
  readonly chunkSize: number | undefined;
  readonly open: Handler;
  readonly read: Handler;
  readonly write: Handler;
  readonly list: Handler;
  readonly delete: Handler;
  readonly lock?: Handler;
  readonly unlock?: Handler;
}

interface WrittenStateStore extends WrittenComponent {
  readonly chunkSize?: number;
  readonly lock?: unknown;
  readonly unlock?: unknown;
}

const kind = {
  role: "stateStore",
  needed: ["open", "read", "write", "list", "delete"],
  possible: ["lock", "unlock"],
  options: ["chunkSize"],
} as const;

/** Compiles a state store. @throws SdkError `INVALID_DEFINITION`, `INVALID_SCHEMA`. */
export function compileStateStore(provider: CompiledProvider, name: string, written: WrittenStateStore): CompiledStateStore {
  const { chunkSize, lock, unlock } = written;
  const compiled = compileComponent(kind, provider, name, written, ({ definitionFaults: faults }) => {
    if ((lock === undefined) !== (unlock === undefined)) faults.add([], "a state store must define both lock() and unlock(), or neither");
    if (provider.protocols?.includes(6) === false) {
      faults.add([], "only protocol 6 supports state stores, but the provider sets protocols: [5]");
    }
    if (chunkSize !== undefined && !(Number.isSafeInteger(chunkSize) && chunkSize > 0))
      faults.add([], "chunkSize must be a number of bytes, at least 1");
    return { chunkSize };
  });
  return { kind: "stateStore", ...compiled };
}
