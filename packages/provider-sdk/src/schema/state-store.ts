// SPDX-License-Identifier: Apache-2.0
import { compileConfigured, type ConfiguredComponent, type WrittenComponent } from "./configured-component.ts";
import { Faults } from "./fault.ts";
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
}

const kind = {
  word: "state store",
  role: "stateStore",
  needed: ["open", "read", "write", "list", "delete"],
  possible: ["lock", "unlock"],
} as const;

/** @throws SdkError `INVALID_DEFINITION`, `INVALID_SCHEMA`. */
export function compileStateStore(provider: CompiledProvider, name: string, written: WrittenStateStore): CompiledStateStore {
  const compiled = compileConfigured(kind, provider, name, written);
  const { chunkSize } = written;
  const faults = new Faults(`provider ${provider.name}, state store ${name}`);
  if ((compiled.lock === undefined) !== (compiled.unlock === undefined)) faults.add([], "a state store has lock and unlock, or neither");
  if (provider.protocols?.includes(6) === false) {
    faults.add([], "only protocol 6 has state stores, and the provider says protocols: [5]");
  }
  if (chunkSize !== undefined && !(Number.isSafeInteger(chunkSize) && chunkSize > 0))
    faults.add([], "chunkSize is a number of bytes, at least 1");
  faults.throwIfAny("INVALID_DEFINITION");
  return { kind: "stateStore", ...compiled, chunkSize };
}
