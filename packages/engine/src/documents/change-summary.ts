// SPDX-License-Identifier: Apache-2.0
import type { PlannedChanges } from "../change/planned-changes.ts";
import type { EngineEvent } from "../events/events.ts";

/** The numbers of objects that are created, updated, imported, destroyed and forgotten. */
export interface ChangeCounts {
  readonly add: number;
  readonly change: number;
  readonly import: number;
  readonly remove: number;
  readonly forget: number;
}

/** The kind of run that a summary is about. `destroy` is the apply of a plan that destroys everything. */
export type SummarizedOperation = "plan" | "apply" | "destroy";

/** Counts the changes of a plan. */
export function countChanges({ resources }: Pick<PlannedChanges, "resources">): ChangeCounts {
  const counts = { add: 0, change: 0, import: 0, remove: 0, forget: 0 };
  for (const { address, action, importing } of resources) {
    if (action === "delete" && address.instance.resource.mode === "data") continue;
    if (importing !== undefined) counts.import++;
    if (["create", "deleteThenCreate", "createThenDelete", "forgetThenCreate"].includes(action)) counts.add++;
    if (["delete", "deleteThenCreate", "createThenDelete"].includes(action)) counts.remove++;
    if (action === "update") counts.change++;
    if (action === "forget" || action === "forgetThenCreate") counts.forget++;
  }
  return counts;
}

/** Counts the changes that an apply has made. @see OpenTofu views, countHook */
export class ApplyCounts implements ChangeCounts {
  add = 0;
  change = 0;
  import = 0;
  remove = 0;
  forget = 0;

  /** Counts the objects that are imported or forgotten, for which an apply calls no provider. */
  begin({ resources }: Pick<PlannedChanges, "resources">): void {
    this.import += resources.filter(({ importing }) => importing !== undefined).length;
    this.forget += resources.filter(({ action }) => action === "forget").length;
  }

  /** Counts the step of an `applyEnded` event, if it succeeded. */
  count({ action, status }: Extract<EngineEvent, { type: "applyEnded" }>): void {
    if (status !== "applied") return;
    if (action === "create") this.add++;
    if (action === "update") this.change++;
    if (action === "delete") this.remove++;
  }
}

/** The sentence about the numbers of changes. */
export function summaryText(operation: SummarizedOperation, counts: ChangeCounts): string {
  const { add, change, import: imported, remove, forget } = counts;
  if (operation === "destroy") return `Destroy complete! Resources: ${remove} destroyed.`;
  const [start, words] =
    operation === "plan"
      ? ["Plan: ", { import: "to import", add: "to add", change: "to change", remove: "to destroy", forget: "to forget" }]
      : ["Apply complete! Resources: ", { import: "imported", add: "added", change: "changed", remove: "destroyed", forget: "forgotten" }];
  const numbers = [
    ...(imported > 0 ? [`${imported} ${words.import}`] : []),
    `${add} ${words.add}`,
    `${change} ${words.change}`,
    `${remove} ${words.remove}`,
    ...(forget > 0 ? [`${forget} ${words.forget}`] : []),
  ];
  return `${start}${numbers.join(", ")}.`;
}
