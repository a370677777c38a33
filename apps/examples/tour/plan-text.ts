// SPDX-License-Identifier: Apache-2.0
import { styleText } from "node:util";
import { formatPath } from "@tenon/cty";
import type { Diagnostic } from "@tenon/schema";
import { colourStyle, describeChange, difference, plainStyle, renderDifference, type DifferenceStyle } from "@tenon/schema/difference";
import type { ResourcePlan } from "./managed-resources.ts";
import { styled } from "./screen.ts";

/** Formats the changes of a set of plans as the CLIs print them. */
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

/** Colours when standard output is a terminal and `NO_COLOR` is not set. */
function shownStyle(): DifferenceStyle {
  return styleText("bold", "x") === "x" ? plainStyle : colourStyle;
}

/** Formats the numbers of additions, changes and deletions on one line. */
export function summaryOf(plans: readonly ResourcePlan[]): string {
  const count = (...actions: readonly ResourcePlan["planned"]["action"][]): number =>
    plans.filter(({ planned }) => actions.includes(planned.action)).length;
  return `${count("create", "replace")} added, ${count("update")} changed, ${count("delete", "replace")} destroyed.`;
}

/** Formats a diagnostic with the address of its attribute. */
export function diagnosticText(address: string, { severity, summary, detail, attribute }: Diagnostic): string {
  const where = attribute === undefined ? address : `${address}${formatPath(attribute)}`;
  const title = styled(severity === "error" ? "red" : "yellow", `${severity === "error" ? "Error" : "Warning"}: ${summary}`);
  return `${title}\n  at ${where}\n${detail.replaceAll(/^(?=.)/gm, "  ")}`;
}
