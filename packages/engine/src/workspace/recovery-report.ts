// SPDX-License-Identifier: Apache-2.0
import { formatResourceInstanceObject } from "../address/resource.ts";
import type { EventListener } from "../events/events.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import { formatJsonTree } from "../state/json-tree.ts";
import type { InterruptedChange } from "../state/journal/journal-record.ts";
import type { RecoveredApply } from "../state/journal/recover-journal.ts";

/** Number of objects that a diagnostic names. Events have all. */
const namedObjects = 20;

/** The diagnostics about an apply that did not end. All are warnings. */
export function recoveryDiagnostics({ recovered, interrupted }: RecoveredApply): readonly AddressedDiagnostic[] {
  const found = interrupted.map((change): AddressedDiagnostic => {
    const address = formatResourceInstanceObject(change.address);
    return { severity: "warning", summary: "Interrupted change", detail: interruptedDetail(change, address), address };
  });
  if (recovered.length === 0) return found;
  const names = recovered.slice(0, namedObjects).map(({ address, kind }) => `  - ${formatResourceInstanceObject(address)} (${kind})`);
  const more = recovered.length > namedObjects ? [`  - and ${recovered.length - namedObjects} more`] : [];
  const detail = [
    "An earlier apply was interrupted before it had stored the state. Its finished changes were taken from its journal, and the state has them now:",
    ...names,
    ...more,
  ].join("\n");
  return [{ severity: "warning", summary: "Interrupted apply recovered", detail }, ...found];
}

/** Emits the events about an apply that did not end. */
export function emitRecovery({ recovered, interrupted }: RecoveredApply, emit: EventListener): void {
  for (const { address, kind } of recovered) emit({ type: "changeRecovered", address, kind });
  for (const change of interrupted) emit({ type: "changeInterrupted", change });
}

const outcomes: Readonly<Record<InterruptedChange["action"], string>> = {
  create:
    "The object may exist, although the state does not have it. If it exists, import or delete it before you apply, because an apply would create another one.",
  update: "The object may have been updated, wholly or in part. A refresh shows what it is now.",
  delete: "The object may be destroyed, although the state still has it. A refresh shows whether it exists.",
};

function interruptedDetail({ action, at, provider, planned, sensitive }: InterruptedChange, address: string): string {
  const values = [
    ...Array.from(planned, ([path, tree]) => `${path} = ${formatJsonTree(tree)}`),
    ...sensitive.map((path) => `${path} = (sensitive value)`),
  ];
  const list = values.length === 0 ? "" : `\n\nPlanned values:\n${values.map((line) => `  ${line}`).join("\n")}`;
  const start = `An apply was interrupted after the request to ${action} ${address} was started at ${at}, and before ${provider} had answered.`;
  return `${start} ${outcomes[action]}${list}`;
}
