// SPDX-License-Identifier: Apache-2.0
import { formatPath } from "@tenon/cty";
import type { Diagnostic } from "@tenon/schema";
import type { ResourcePlan } from "./estate.ts";
import { styled } from "./screen.ts";

/** What a set of plans would do, resource by resource. */
export function changesText(plans: readonly ResourcePlan[]): string {
  return plans.map(({ address, planned }) => `${address} ${planned.action}`).join("\n");
}

/** One line: how many of each. */
export function summaryOf(plans: readonly ResourcePlan[]): string {
  const count = (...actions: readonly ResourcePlan["planned"]["action"][]): number =>
    plans.filter(({ planned }) => actions.includes(planned.action)).length;
  return `${count("create", "replace")} added, ${count("update")} changed, ${count("delete", "replace")} destroyed`;
}

/** A diagnostic for a person, with the attribute it is about. */
export function diagnosticText(address: string, { severity, summary, detail, attribute }: Diagnostic): string {
  const where = attribute === undefined ? address : `${address}${formatPath(attribute)}`;
  return `${styled(severity === "error" ? "red" : "yellow", `${severity === "error" ? "Error" : "Warning"}: ${summary}`)}\n  at ${where}\n  ${detail}`;
}
