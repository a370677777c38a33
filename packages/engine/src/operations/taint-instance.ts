// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/hcl";
import { formatResourceInstance } from "../address/index.ts";
import { parseResourceInstance } from "../address/target.ts";
import { StateDraft } from "../state/state-draft.ts";
import type { StateObject } from "../state/state-object.ts";
import { isEmptyState, resourceIn, type State } from "../state/state.ts";
import { stateError } from "../state/state-diagnostic.ts";
import type { StateChange } from "./state-change.ts";

/** The error if the state has no objects. */
export const nothingTainted: Diagnostic = stateError(
  "No such resource instance",
  "The state currently contains no resource instances whatsoever. This may occur if the configuration has never been applied or if it has recently been destroyed.",
);

/** Marks the current object of an instance as tainted, so that the next apply replaces it. @see OpenTofu taint.go */
export function taintInstance(state: State, text: string): StateChange {
  return withStatus(state, text, "tainted");
}

/** Marks the tainted current object of an instance as not tainted. @see OpenTofu untaint.go */
export function untaintInstance(state: State, text: string): StateChange {
  return withStatus(state, text, "ready");
}

function withStatus(state: State, text: string, status: StateObject["status"]): StateChange {
  const { address: instance, diagnostics } = parseResourceInstance(text);
  if (instance === undefined) return { state, diagnostics };
  const failed = (summary: string, detail: string): StateChange => ({ state, diagnostics: [stateError(summary, detail)] });
  const shown = formatResourceInstance(instance);
  if (instance.resource.mode !== "managed" && status === "tainted") {
    return failed("Invalid resource address", `Resource instance ${shown} cannot be tainted`);
  }
  const missing = "No such resource instance";
  if (isEmptyState(state)) return { state, diagnostics: [nothingTainted] };
  const resource = resourceIn(state, instance);
  const stateInstance = resource?.instances.get(instance.key);
  if (resource === undefined || stateInstance === undefined) {
    const detail = `There is no resource instance in the state with the address ${shown}. If the resource configuration has just been added, you must run "tofu apply" once to create the corresponding instance(s) before they can be tainted.`;
    return failed(missing, detail);
  }
  const { current, providerKey } = stateInstance;
  if (current === undefined) {
    const detail = `Resource instance ${shown} is currently part-way through a create_before_destroy replacement action. Run "tofu apply" to complete its replacement before tainting it.`;
    return failed(missing, detail);
  }
  if (status === "ready" && current.status !== "tainted") {
    const detail = `Resource instance ${shown} is not currently tainted, and so it cannot be untainted.`;
    return failed("Resource instance is not tainted", detail);
  }
  const draft = new StateDraft(state);
  const provider = { config: resource.provider, ...(providerKey !== undefined && { key: providerKey }) };
  draft.setObject({ instance }, { ...current, status }, provider);
  return { state: draft.snapshot(), diagnostics: [] };
}
