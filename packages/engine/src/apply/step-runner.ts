// SPDX-License-Identifier: Apache-2.0
import type { ResourceChange } from "../change/planned-changes.ts";
import { Cell, settleAll, UpstreamError } from "../evaluation/cell.ts";
import type { ApplySteps, Step, StepGroup } from "./step.ts";

/** How the steps of each kind run. */
export interface StepHandlers {
  /** Creates, updates or reads an object. A second call for a step returns the result of the first. */
  readonly put: (step: Step) => Promise<unknown>;
  /** Destroys an object. Called once for a step. */
  readonly destroy: (step: Step) => Promise<void>;
}

/** Runs the steps of an apply, each once and when something first waits for it. */
export class StepRunner {
  readonly #steps: ApplySteps;
  readonly #handlers: StepHandlers;
  readonly #destroys = new Map<Step, Cell<void>>();
  readonly #groups = new Map<StepGroup, Cell<void>>();
  readonly #finishedGroups = new Set<StepGroup>();

  constructor(steps: ApplySteps, handlers: StepHandlers) {
    this.#steps = steps;
    this.#handlers = handlers;
    for (const step of steps.destroys.values()) this.#destroys.set(step, new Cell(() => handlers.destroy(step)));
  }

  /** Destroys all objects that the plan destroys. Returns whether there was no error. */
  destroyAll(): Promise<boolean> {
    return settleAll([...this.#destroys.values()].map((cell) => cell.get()));
  }

  /** Creates, updates and reads the objects of planned changes. Returns whether there was no error. */
  putAll(includes: (change: ResourceChange) => boolean): Promise<boolean> {
    const steps = [...this.#steps.puts.values()].filter(({ change }) => includes(change));
    return settleAll(steps.map((step) => this.#waitFor(step)));
  }

  /** The planned changes among those to create, update or read that were not made: they failed, or waited for something that failed. */
  async unmade(includes: (change: ResourceChange) => boolean): Promise<readonly ResourceChange[]> {
    const steps = [...this.#steps.puts.values()].filter(({ change }) => includes(change));
    const areMade = await Promise.all(steps.map((step) => settleAll([this.#waitFor(step)])));
    return steps.flatMap(({ change }, index) => (areMade[index] === true ? [] : [change]));
  }

  /** Waits until the steps before the creation or update of an instance have ended. The instance is named by the text of its address. Undefined if there are none. */
  waitForStepsBefore(instance: string): Promise<void> | undefined {
    const { after } = this.#steps.puts.get(instance)!;
    return after.size === 0 ? undefined : this.waitForAllOf(after);
  }

  /** Waits for steps, one after the other. @throws UpstreamError after the first one that fails. */
  async waitForAllOf(steps: Iterable<Step | StepGroup>): Promise<void> {
    for (const step of steps) await this.#waitFor(step);
  }

  /**
   * Waits until all objects that a change depends on are created or updated. Those that its configuration refers to are ready already, so this
   * waits only for indirect dependencies: through a resource that does not change or has no instances. Undefined if it has no dependencies.
   */
  waitForDependencies(change: ResourceChange): Promise<void> | undefined {
    return change.dependencies.length === 0 ? undefined : this.#waitForDependencies(change);
  }

  async #waitForDependencies({ dependencies, address }: ResourceChange): Promise<void> {
    for (const dependency of dependencies) {
      for (const group of this.#steps.putsOf(dependency, address.instance)) {
        if (!this.#finishedGroups.has(group)) await this.#waitFor(group);
        this.#finishedGroups.add(group);
      }
    }
  }

  async #waitFor(step: Step | StepGroup): Promise<void> {
    if (step.kind === "group") {
      let cell = this.#groups.get(step);
      if (cell === undefined) this.#groups.set(step, (cell = new Cell(() => this.#waitForGroup(step))));
      return cell.get();
    }
    if (step.kind === "destroy") return this.#destroys.get(step)!.get();
    await this.#handlers.put(step);
  }

  async #waitForGroup({ steps }: StepGroup): Promise<void> {
    if (!(await settleAll(steps.map((step) => this.#waitFor(step))))) throw new UpstreamError();
  }
}
