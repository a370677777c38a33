// SPDX-License-Identifier: Apache-2.0
import { callSite } from "../call-site.ts";
import type { ResourceAddress } from "../checks/resource-address.ts";
import type { ConfigurationSource } from "../configuration/configuration-source.ts";
import type {
  ConfigStepOptions,
  ImportStepOptions,
  ListBlock,
  QueryStepOptions,
  RefreshStepOptions,
  StateStoreBlock,
  StateStoreStepOptions,
  StepOf,
} from "./step.ts";

/**
 * A step that applies a configuration: plan, checks of the plan, apply, checks of the state. Then a plan that reads no object and one that reads all
 * must be empty.
 *
 * @example
 * configStep(`resource "notebook_note" "a" { title = "Bread" }`, {
 *   stateChecks: [expectKnownValue("notebook_note.a", "revision", 1)],
 * });
 */
export function configStep(source: ConfigurationSource, options: ConfigStepOptions = {}): StepOf<"config"> {
  return { kind: "config", site: callSite(configStep), source, options };
}

/** A step that reads all objects and stores their values. The plan after it must be empty. */
export function refreshStep(options: RefreshStepOptions = {}): StepOf<"refresh"> {
  return { kind: "refresh", site: callSite(refreshStep), options };
}

/**
 * A step that imports the resource at an address, into a state of its own, and compares it with the resource in the state.
 *
 * @example
 * importStep("notebook_note.a", { verifyIgnore: ["passphrase"] });
 */
export function importStep(address: ResourceAddress, options: ImportStepOptions = {}): StepOf<"import"> {
  return { kind: "import", site: callSite(importStep), address, options };
}

/**
 * A step that lists resources, as `terraform query` does. It needs the runner in process.
 *
 * @param lists The `list` blocks by name. The address of `all` with the type `dns_record` is `list.dns_record.all`.
 */
export function queryStep(lists: Readonly<Record<string, ListBlock>>, options: QueryStepOptions = {}): StepOf<"query"> {
  return { kind: "query", site: callSite(queryStep), lists, options };
}

/**
 * A step that uses a state store of a provider as a core does: creates workspaces, writes and reads states, lists and deletes them. It needs the runner
 * in process. The store must be empty before the step, and is empty after it.
 *
 * @example
 * stateStoreStep({ type: "cloud_bucket", config: { name: "test" } }, { verifyLock: true });
 */
export function stateStoreStep(store: StateStoreBlock, options: StateStoreStepOptions = {}): StepOf<"stateStore"> {
  return { kind: "stateStore", site: callSite(stateStoreStep), store, options };
}
