// SPDX-License-Identifier: Apache-2.0
import type { ApplyAction, EphemeralAction } from "../events/events.ts";

/** The words of the UI log about a step, by action. @see OpenTofu views/json, startActionVerb, progressActionVerb and actionNoun */
export const stepTexts: Readonly<Record<ApplyAction, { readonly started: string; readonly underWay: string; readonly noun: string }>> = {
  create: { started: "Creating", underWay: "creating", noun: "Creation" },
  update: { started: "Modifying", underWay: "modifying", noun: "Modifications" },
  delete: { started: "Destroying", underWay: "destroying", noun: "Destruction" },
  read: { started: "Refreshing", underWay: "refreshing", noun: "Refresh" },
};

/** The texts about a call for an ephemeral resource, by action. */
export const ephemeralTexts: Readonly<Record<EphemeralAction, { readonly started: string; readonly ended: string }>> = {
  open: { started: "Opening...", ended: "Open complete" },
  renew: { started: "Renewing...", ended: "Renew complete" },
  close: { started: "Closing...", ended: "Close complete" },
};

/** A duration in whole seconds. */
export function wholeSeconds(milliseconds: number): number {
  return Math.round(milliseconds / 1000);
}

/** A duration in whole seconds, formatted as in Go: `5s`, `1m0s`, `1h2m3s`. */
export function elapsedText(milliseconds: number): string {
  const seconds = wholeSeconds(milliseconds);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours > 0) return `${hours}h${minutes % 60}m${seconds % 60}s`;
  return minutes > 0 ? `${minutes}m${seconds % 60}s` : `${seconds}s`;
}
