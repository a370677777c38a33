// SPDX-License-Identifier: Apache-2.0
import { formatResourceInstanceObject } from "../address/resource.ts";
import type { EventListener } from "../events/events.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import { formatJsonTree } from "../state/json-tree.ts";
import type { InterruptedChange } from "../state/journal/journal-record.ts";
import type { RecoveredApply } from "../state/journal/recover-journal.ts";

/** How many objects a diagnostic lists at most. The events are about all objects. */
const maxListedObjects = 20;

/** The warnings about an apply that was interrupted. */
export function recoveryDiagnostics({ recovered, interrupted }: RecoveredApply): readonly AddressedDiagnostic[] {
  const warnings = interrupted.map((change): AddressedDiagnostic => {
    const address = formatResourceInstanceObject(change.address);
    return { severity: "warning", summary: "Interrupted change", detail: interruptedDetail(change, address), address };
  });
  if (recovered.length === 0) return warnings;
  const names = recovered.slice(0, maxListedObjects).map(({ address, kind }) => `  - ${formatResourceInstanceObject(address)} (${kind})`);
  const more = recovered.length > maxListedObjects ? [`  - and ${recovered.length - maxListedObjects} more`] : [];
  const detail = [
    "An earlier apply was interrupted before it had stored the state. Its finished changes were taken from its journal, and the state has them now:",
    ...names,
    ...more,
  ].join("\n");
  return [{ severity: "warning", summary: "Interrupted apply recovered", detail }, ...warnings];
}

/** Emits the events about an apply that was interrupted. */
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
