// SPDX-License-Identifier: Apache-2.0
export { addressOf, Estate, Refused, type ResourcePlan, type WantedResource } from "./estate.ts";
export { configure, notebookCommand } from "./notebook-life.ts";
export { changesText } from "./plan-text.ts";
export { stages } from "./wanted.ts";
