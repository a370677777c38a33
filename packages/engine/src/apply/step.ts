// SPDX-License-Identifier: Apache-2.0
import type { ResourceInstance } from "../address/resource.ts";
import type { ResourceChange } from "../change/planned-changes.ts";

/** One operation of a provider in an apply. A replacement has two steps. */
export interface Step {
  /** The object's address, followed by ` (destroy)` for a destruction. */
  readonly id: string;
  /** `put` creates, updates or reads an object. */
  readonly kind: "put" | "destroy";
  readonly change: ResourceChange;
  /** The resource's address in the configuration. */
  readonly resource: string;
  /** Steps that must end before this one starts, beside the steps whose values it needs. */
  readonly after: Set<Step | StepGroup>;
  /**
   * The steps of `after` that are ignored if they make a cycle: before the change of an object, the destruction of objects that it depended
   * on or that depended on it; before a destruction, the changes of objects that the object depended on; before one without replacement,
   * also those of objects that depended on it; before the data source of a check is read, the changes of all managed resources.
   */
  readonly preferablyAfter: Set<Step | StepGroup>;
  /** Resources that the object depended on when it was last changed. */
  readonly recordedDependencies: readonly string[];
  /** Resources whose changed values the step waits for. */
  readonly needs: readonly string[];
}

/** Steps that other steps wait for together. Without groups, n instances that depend on n others would need n² dependencies. */
export interface StepGroup {
  readonly kind: "group";
  readonly steps: readonly Step[];
}

/** The steps of a plan. */
export interface ApplySteps {
  /** Steps that create, update or read an object, by the address of the instance. */
  readonly puts: ReadonlyMap<string, Step>;
  /** Steps that destroy an object, by the address of the object in the plan. */
  readonly destroys: ReadonlyMap<string, Step>;
  /** The steps that create, update or read the objects of a resource that a dependent instance waits for. */
  readonly putsOf: (resource: string, dependent: ResourceInstance) => readonly StepGroup[];
}

/** Makes a group of steps. */
export function groupOf(steps: readonly Step[]): StepGroup {
  return { kind: "group", steps };
}
