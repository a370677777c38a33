// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import { openWorkspace, type Plan } from "@tenon/engine";
import { objectFiles } from "@tenon/engine/configuration";
import { providerState, type ProviderStateOptions, type StateStore } from "@tenon/engine/state/stores";
import { errorTextsOf } from "../runner/diagnostic-text.ts";
import type { StateDocument } from "../documents/state-document.ts";

/** An empty state with a new lineage. */
function emptyState(): Uint8Array {
  const state = { version: 4, terraform_version: "1.12.0", serial: 1, lineage: randomUUID(), outputs: {}, resources: [] };
  return Buffer.from(`${JSON.stringify(state)}\n`);
}

/** A configuration with a number of objects, which no provider of the case manages. */
function configurationWith(count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `resource "terraform_data" "tenon_${index + 1}" {\n  input = "${valueOf(index + 1)}"\n}\n`,
  ).join("\n");
}

function valueOf(number: number): string {
  return `written by @tenon/testing, ${number}`;
}

/** The addresses and outputs of the objects that {@link StateStoreClient.apply} creates. */
export function createdObjects(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`terraform_data.tenon_${index + 1}`, valueOf(index + 1)]));
}

/**
 * A client of a state store. Each operation opens its own instance of the provider, as each command of a command line does. A store that keeps
 * states in an instance therefore fails.
 *
 * Methods reject with an EngineError if the store fails.
 */
export class StateStoreClient {
  readonly #options: ProviderStateOptions;
  readonly #signal: { readonly signal?: AbortSignal };

  constructor(options: ProviderStateOptions, signal: AbortSignal | undefined) {
    this.#options = options;
    this.#signal = signal === undefined ? {} : { signal };
  }

  /** The names of the states, and `default`, sorted. */
  async list(): Promise<readonly string[]> {
    return this.#withStore(async (store) => (await store.workspaces(this.#signal)).toSorted());
  }

  /** Creates a workspace: writes an empty state, unless the store has one. */
  async create(name: string): Promise<void> {
    await this.#withStore(async (store) => {
      const workspace = store.workspace(name);
      if ((await workspace.read(this.#signal)) === undefined) await workspace.write(emptyState(), { expected: undefined, ...this.#signal });
    });
  }

  async delete(name: string): Promise<void> {
    await this.#withStore((store) => store.deleteWorkspace(name, this.#signal));
  }

  /** The state of a workspace. Takes no lock. */
  async read(workspace: string): Promise<StateDocument> {
    return this.#withStore(async (state) => {
      await using opened = openWorkspace({ configuration: objectFiles({ "main.tf": "" }), state, workspace });
      return opened.stateJson(this.#signal);
    });
  }

  /** Changes the objects of a workspace to `count`. Takes the lock. Returns the errors. */
  async apply(workspace: string, count: number): Promise<readonly string[]> {
    return this.planned(workspace, count, async (plan, errors) => {
      if (errors.length > 0) return errors;
      return errorTextsOf((await plan.apply()).diagnostics, plan.sources);
    });
  }

  /** Plans `count` objects, and calls a function with the plan and its errors while the plan holds the lock. */
  async planned<T>(workspace: string, count: number, use: (plan: Plan, errors: readonly string[]) => Promise<T>): Promise<T> {
    return this.#withStore(async (state) => {
      await using opened = openWorkspace({ configuration: objectFiles({ "main.tf": configurationWith(count) }), state, workspace });
      await using plan = await opened.plan(this.#signal);
      return await use(plan, errorTextsOf(plan.diagnostics, plan.sources));
    });
  }

  async #withStore<T>(use: (store: StateStore) => Promise<T>): Promise<T> {
    const store = providerState(this.#options);
    try {
      return await use(store);
    } finally {
      await store.close?.();
    }
  }
}
