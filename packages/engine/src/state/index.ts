// SPDX-License-Identifier: Apache-2.0
/**
 * States as immutable values, and as state files of format 4.
 *
 * @module
 */
export {
  emptyState,
  isEmptyState,
  objectIn,
  providerTextOf,
  resourceIn,
  sortedInstances,
  sortedResources,
  type State,
  type StateInstance,
  type StateOutput,
  type StateResource,
} from "./state.ts";
export { StateDraft, type ObjectProvider } from "./state-draft.ts";
export { attributesOf, createStateObject, withAttributes, type StateObject } from "./state-object.ts";
export type { CheckableKind, CheckObjectResult, CheckResult, CheckStatus } from "./check-result.ts";
export { createStateFile, type StateFile } from "./state-file.ts";
export { opentofuVersion } from "../opentofu-version.ts";
export { StateManager } from "./state-manager.ts";
export { readStateFile, type ReadStateFile } from "./read-state-file.ts";
export { writeStateFile, type StateLayout } from "./write-state-file.ts";
export type { JsonObject, JsonTree, RawNumber } from "./json-tree.ts";
export type { StateDiagnostic } from "./state-diagnostic.ts";
