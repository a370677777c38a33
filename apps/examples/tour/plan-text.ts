// SPDX-License-Identifier: Apache-2.0
import { styleText } from "node:util";
import { formatPath } from "@tenon/cty";
import type { Diagnostic } from "@tenon/schema";
import { colourStyle, describeChange, difference, plainStyle, renderDifference, type DifferenceStyle } from "@tenon/schema/change";
import type { ResourcePlan } from "./estate.ts";
import { styled } from "./screen.ts";

/** What a set of plans would do, resource by resource, as the CLIs write it. */
export function changesText(plans: readonly ResourcePlan[]): string {
  const changes = plans.filter(({ planned }) => planned.action !== "noOp");
  return changes.length === 0 ? "No changes." : changes.map(changeText).join("\n\n");
}

function changeText({ address, type, planned }: ResourcePlan): string {
  const { action, reason, before, after, requiresReplace } = planned;
  if (action === "noOp") return "";
  const style = shownStyle();
  const [typeName, name] = address.split(".");
  const text = renderDifference(difference(type.schema.block, before, after, { requiresReplace }), {
    action: action === "replace" ? "deleteThenCreate" : action,
    header: `resource ${JSON.stringify(typeName)} ${JSON.stringify(name)}`,
    style,
  });
  return `${describeChange(address, { action, ...(reason ? { reason } : {}) }, style).trimStart()}\n${text}`;
}

/** Colours where standard output shows them: `NO_COLOR` and a pipe give plain text. */
function shownStyle(): DifferenceStyle {
  return styleText("bold", "x") === "x" ? plainStyle : colourStyle;
}

/** One line: how many of each. */
export function summaryOf(plans: readonly ResourcePlan[]): string {
  const count = (...actions: readonly ResourcePlan["planned"]["action"][]): number =>
    plans.filter(({ planned }) => actions.includes(planned.action)).length;
  return `${count("create", "replace")} added, ${count("update")} changed, ${count("delete", "replace")} destroyed.`;
}

/** A diagnostic for a person, with the attribute it is about. */
export function diagnosticText(address: string, { severity, summary, detail, attribute }: Diagnostic): string {
  const where = attribute === undefined ? address : `${address}${formatPath(attribute)}`;
  const title = styled(severity === "error" ? "red" : "yellow", `${severity === "error" ? "Error" : "Warning"}: ${summary}`);
  return `${title}\n  at ${where}\n${detail.replaceAll(/^(?=.)/gm, "  ")}`;
}
