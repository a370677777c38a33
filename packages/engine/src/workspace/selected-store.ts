// SPDX-License-Identifier: Apache-2.0
import { hasErrors, type Diagnostic } from "@tenon/hcl";
import type { Configuration } from "../configuration/configuration.ts";
import { EngineError } from "../error.ts";
import { memoryState } from "../state/stores/memory-store.ts";
import type { StateStore } from "../state/stores/state-store.ts";
import { backendStore, type BackendStoreOptions } from "./backend-store.ts";

/** The store of an operation. */
export interface SelectedStore {
  readonly store: StateStore;
  /** Whether the store is an empty one that stands in for the real one, which is not known because of errors of the configuration. */
  readonly isPlaceholder: boolean;
  /** Diagnostics about the `backend` block. */
  readonly diagnostics: readonly Diagnostic[];
  /** Closes the store if it was opened for the operation. */
  close(): Promise<void>;
}

/** Selects the store of an operation: the caller's, else the one of the `backend` block, else the memory of the workspace. */
export class StoreSelection {
  readonly #given: StateStore | undefined;
  readonly #options: BackendStoreOptions;
  readonly #memory: StateStore = memoryState();

  constructor(given: StateStore | undefined, options: BackendStoreOptions) {
    this.#given = given;
    this.#options = options;
  }

  /** The caller's store; undefined if the configuration decides. */
  get given(): StateStore | undefined {
    return this.#given;
  }

  /** @param configuration Undefined if it could not be loaded. The operation fails then, and its store is a placeholder. */
  select(configuration: Configuration | undefined): SelectedStore {
    const keptOpen = (store: StateStore): SelectedStore => ({ store, isPlaceholder: false, diagnostics: [], close: async () => {} });
    if (this.#given !== undefined) return keptOpen(this.#given);
    if (configuration === undefined) return { ...keptOpen(memoryState()), isPlaceholder: true };
    const { store, diagnostics } = backendStore(configuration, { ...this.#options, memory: this.#memory });
    if (hasErrors(diagnostics)) return { ...keptOpen(memoryState()), isPlaceholder: true, diagnostics };
    if (store === undefined) return { ...keptOpen(this.#memory), diagnostics };
    return { store, isPlaceholder: false, diagnostics, close: async () => store.close?.() };
  }
}

/**
 * Requires that no error of the configuration hides which store has the state.
 *
 * @throws EngineError `INVALID_CONFIGURATION` with the errors.
 */
export function requireNoErrors(diagnostics: readonly Diagnostic[]): void {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  const reasons = errors.map(({ summary, detail }) => (detail === "" ? summary : `${summary}: ${detail}`)).join("\n");
  throw new EngineError("INVALID_CONFIGURATION", `the store of the state is not known, because the configuration has errors: ${reasons}`);
}
