// SPDX-License-Identifier: Apache-2.0
export { addressOf, ManagedResources, ResourceError, type ResourcePlan, type ConfiguredResource } from "./managed-resources.ts";
export { configure, notebookCommand } from "./notebook-life.ts";
export { changesText } from "./plan-text.ts";
export { stages } from "./stages.ts";
