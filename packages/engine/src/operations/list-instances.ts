// SPDX-License-Identifier: Apache-2.0
import type { ResourceInstance } from "../address/index.ts";
import { objectIn, type State } from "../state/state.ts";
import { allInstances, selectInstances, type SelectedInstances } from "./instances.ts";

/** Options of {@link listInstances}. */
export interface ListOptions {
  /** Addresses of the modules, resources and instances to list. Default: all instances. */
  readonly addresses?: readonly string[];
  /** Lists only instances whose attribute `id` has this value. */
  readonly id?: string;
}

/**
 * Lists the instances of a state. An address that is not in the state is an error.
 *
 * @see OpenTofu state_list.go
 */
export function listInstances(state: State, { addresses = [], id }: ListOptions = {}): SelectedInstances {
  const selected = addresses.map((text) => selectInstances(state, text, false));
  const diagnostics = selected.flatMap((one) => one.diagnostics);
  if (diagnostics.length > 0) return { instances: [], diagnostics };
  const instances = addresses.length === 0 ? allInstances(state) : selected.flatMap((one) => one.instances);
  return { instances: id === undefined ? instances : instances.filter((instance) => idOf(state, instance) === id), diagnostics };
}

function idOf(state: State, instance: ResourceInstance): string | undefined {
  const object = objectIn(state, { instance });
  if (object?.attributesFlat !== undefined) return object.attributesFlat["id"];
  const id = object?.attributes?.["id"];
  return typeof id === "string" ? id : undefined;
}
