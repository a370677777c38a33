// SPDX-License-Identifier: Apache-2.0
import type { PlanMode } from "../change/planned-changes.ts";
import { allModules } from "../configuration/configuration.ts";
import type { Module } from "../configuration/module.ts";
import type { Provisioner } from "../configuration/provisioner.ts";
import { reportError, type Report } from "../configuration/report.ts";
import type { PlanInput } from "./plan-input.ts";

/**
 * Reports the provisioner blocks that an apply of the plan could not run: those of other types than `local-exec`, and all of them if the
 * caller does not allow commands.
 */
export function refuseProvisioners(
  { configuration, mode, allowsLocalExec }: Pick<PlanInput, "configuration" | "mode" | "allowsLocalExec">,
  report: Report,
): void {
  for (const { module } of allModules(configuration)) {
    for (const { type, typeRange, when } of provisionersOf(module)) {
      if (!runs(when, mode)) continue;
      if (type !== "local-exec") {
        const detail = `The engine cannot run provisioners of the type "${type}". It runs those of the type "local-exec" only.`;
        reportError(report, "Unsupported provisioner", detail, typeRange);
      } else if (!allowsLocalExec) {
        const detail = 'The caller does not allow configurations to run commands with provisioners of the type "local-exec".';
        reportError(report, "Provisioner not allowed", detail, typeRange);
      }
    }
  }
}

function* provisionersOf({ managedResources, removed }: Module): Iterable<Provisioner> {
  for (const { managed } of managedResources.values()) yield* managed?.provisioners ?? [];
  for (const { provisioners } of removed) yield* provisioners;
}

function runs(when: Provisioner["when"], mode: PlanMode): boolean {
  return mode === "normal" || (mode === "destroy" && when === "destroy");
}
