// SPDX-License-Identifier: Apache-2.0
import { EngineError } from "@tenon/engine";
import { resourcesOf } from "../documents/state-document.ts";
import { errorTextsOf } from "../runner/diagnostic-text.ts";
import { createdObjects, StateStoreClient } from "./state-store-client.ts";
import type { StateStoreBlock, StateStoreStepOptions, StepOf } from "./step.ts";
import { providerOfStep } from "./step-provider.ts";
import type { StepRun } from "./step-run.ts";

const defaultName = "default";
/** The workspaces that a step creates and deletes. */
const [emptyName, changedName] = ["tenon-test-a", "tenon-test-b"];

/** Runs a step that uses a state store as a core does. @see terraform-plugin-testing helper/resource/testing_new_state_store.go */
export async function runStateStoreStep(run: StepRun, step: StepOf<"stateStore">): Promise<void> {
  const check = new StateStoreCheck(run, step.store, step.options, providerOfStep(run, "stateStore", step.options.provider));
  try {
    await check.run();
  } catch (error) {
    await check.removeWorkspaces();
    if (!(error instanceof ExpectedError)) throw error;
  }
}

/** Ends a step after an error that it expects. */
class ExpectedError extends Error {}

/** The operations on a state store, and what must hold after each. */
class StateStoreCheck {
  readonly #run: StepRun;
  readonly #options: StateStoreStepOptions;
  readonly #client: StateStoreClient;
  readonly #created = new Set<string>();

  constructor(
    run: StepRun,
    { type, config = {} }: StateStoreBlock,
    options: StateStoreStepOptions,
    provider: ReturnType<typeof providerOfStep>,
  ) {
    this.#run = run;
    this.#options = options;
    const { providerConfig = {} } = options;
    this.#client = new StateStoreClient({ provider, type, config, providerConfig }, run.state.signal);
  }

  async run(): Promise<void> {
    await this.#expectNames("at the beginning", [defaultName]);
    await this.#expectObjects("at the beginning", defaultName, 0);
    if (this.#options.defaultWorkspaceOnly === true) {
      await this.#writeTwice(defaultName);
      await this.#apply(defaultName, 0);
      await this.#expectObjects("after all objects were destroyed", defaultName, 0);
    } else await this.#useWorkspaces();
    if (this.#options.verifyLock === true) await this.#expectLock();
  }

  async #useWorkspaces(): Promise<void> {
    await this.#create(emptyName);
    await this.#create(changedName);
    await this.#writeTwice(changedName);
    await this.#expectObjects(`after changes of ${changedName}`, emptyName, 0);
    await this.#expectNames("after two workspaces were created", [defaultName, emptyName, changedName]);
    await this.#delete(changedName);
    await this.#expectNames(`after ${changedName} was deleted`, [defaultName, emptyName]);
    await this.#create(changedName);
    await this.#delete(changedName);
    await this.#delete(emptyName);
    await this.#expectNames("after all workspaces were deleted", [defaultName]);
  }

  /** Writes a state twice. The second state is longer. */
  async #writeTwice(workspace: string): Promise<void> {
    for (const count of [1, 2]) {
      await this.#apply(workspace, count);
      await this.#expectObjects(`after an apply of ${count === 1 ? "one object" : `${count} objects`}`, workspace, count);
    }
  }

  /** While one client holds the lock, another client may read the state, and must not acquire the lock. Afterwards it must acquire it. */
  async #expectLock(): Promise<void> {
    const operation = `lock of ${defaultName}`;
    await this.#attempt(operation, () =>
      this.#client.planned(defaultName, 1, async (plan, errors) => {
        await this.#accept(operation, errors);
        await this.#expectObjects("while another client holds the lock", defaultName, 0);
        await this.#expectRefusal();
        await this.#accept("apply with the lock", errorTextsOf((await plan.apply()).diagnostics, plan.sources));
      }),
    );
    await this.#expectObjects("after the apply with the lock", defaultName, 1);
    // Fails if the lock was not released.
    await this.#apply(defaultName, 0);
    await this.#expectObjects("after all objects were destroyed", defaultName, 0);
  }

  async #expectRefusal(): Promise<void> {
    try {
      await this.#client.planned(defaultName, 0, async () => {});
    } catch (error) {
      if (error instanceof EngineError && error.code === "STATE_LOCKED") return;
      const reason = error instanceof Error ? error.message : String(error);
      throw await this.#run.failure(
        `second lock of ${defaultName}`,
        `the store must refuse the lock, because another client holds it, but fails with:\n${reason}`,
      );
    }
    throw await this.#run.failure(
      `second lock of ${defaultName}`,
      "the store must refuse the lock, because another client holds it, but grants it",
    );
  }

  async #create(workspace: string): Promise<void> {
    this.#created.add(workspace);
    await this.#attempt(`creation of ${workspace}`, () => this.#client.create(workspace));
    await this.#expectObjects("after its creation", workspace, 0);
  }

  async #delete(workspace: string): Promise<void> {
    await this.#attempt(`deletion of ${workspace}`, () => this.#client.delete(workspace));
    this.#created.delete(workspace);
  }

  async #apply(workspace: string, count: number): Promise<void> {
    const operation = `apply in ${workspace}`;
    await this.#accept(operation, await this.#attempt(operation, () => this.#client.apply(workspace, count)));
  }

  async #expectNames(when: string, expected: readonly string[]): Promise<void> {
    const names = await this.#attempt("list of states", () => this.#client.list());
    if (names.join("\n") === expected.toSorted().join("\n")) return;
    throw await this.#run.failure(
      "list of states",
      `${when}, the store must have the states ${listed(expected)}, but lists ${listed(names)}`,
    );
  }

  async #expectObjects(when: string, workspace: string, count: number): Promise<void> {
    const state = await this.#attempt(`read of ${workspace}`, () => this.#client.read(workspace));
    const found = Object.fromEntries(resourcesOf(state).map(({ address, values }) => [address, values["output"]]));
    const expected = createdObjects(count);
    const isEqual = Object.keys(found).length === count && Object.entries(expected).every(([address, value]) => found[address] === value);
    if (isEqual) return;
    const reason = `${when}, the state ${workspace} must have ${listed(Object.keys(expected))}, but has ${listed(Object.keys(found))}`;
    throw await this.#run.failure(`read of ${workspace}`, reason);
  }

  /** Runs an operation. An error of the store fails the step, or ends it if the step expects it. */
  async #attempt<T>(operation: string, task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      await this.#accept(operation, [error.message]);
      throw error;
    }
  }

  async #accept(operation: string, errors: readonly string[]): Promise<void> {
    if (!(await this.#run.accept(operation, { errors }))) throw new ExpectedError();
  }

  /** Deletes the workspaces that a failed step has created. Ignores errors of the deletion, so that the failure of the step is reported. */
  async removeWorkspaces(): Promise<void> {
    for (const name of this.#created) await this.#client.delete(name).catch(() => {});
  }
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "nothing" : names.join(", ");
}
