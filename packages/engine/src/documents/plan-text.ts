// SPDX-License-Identifier: Apache-2.0
import { unmarkDeep, type Path } from "@tenon/cty";
import { compareCodePoints, goQuote } from "@tenon/cty/unstable/payload";
import { difference, grouped, renderDifference, valueDifference, type Difference } from "@tenon/schema/difference";
import { formatResourceInstance, isSameResourceInstance } from "../address/resource.ts";
import type {
  ChangeAction,
  DeferralReason,
  DeferredChange,
  Drift,
  OutputChange,
  PlannedChanges,
  PlanMode,
  ResourceChange,
} from "../change/planned-changes.ts";
import { sensitiveMarks, withPathMarks } from "../marks/object-marks.ts";
import { SENSITIVE } from "../marks/value-marks.ts";
import { countChanges, summaryText } from "./change-summary.ts";
import { changeComment, type ChangeCause } from "./change-comment.ts";
import { coloredPlanStyle, plainPlanStyle, type PlanStyle } from "./plan-style.ts";
import { wordWrap } from "./word-wrap.ts";

/** Options of {@link renderPlan}. */
export interface RenderPlanOptions {
  /** Whether the text has terminal colours. Default: false. */
  readonly color?: boolean;
  /** Number of columns to which sentences are wrapped. Default: 78, as for output that is not a terminal. */
  readonly width?: number;
}

interface Rendering {
  readonly style: PlanStyle;
  readonly width: number;
}

/**
 * Renders a plan as `tofu show` prints it. Sensitive values are hidden.
 *
 * Changes that were made outside of OpenTofu are shown where the planned changes refer to them, and always in refresh-only plans. Changes
 * that are left to a later plan follow the others; OpenTofu has none.
 *
 * @param plan The result of `workspace.plan()`, or its `changes`.
 * @see OpenTofu internal/command/jsonformat/plan.go
 */
export function renderPlan(plan: PlannedChanges | { readonly changes: PlannedChanges }, options: RenderPlanOptions = {}): string {
  const { color = false, width = 78 } = options;
  const planned = "changes" in plan ? plan.changes : plan;
  const rendering: Rendering = { style: color ? coloredPlanStyle : plainPlanStyle, width };
  const changes = planned.resources.filter(isShown);
  const outputs = outputLines(planned.outputs, rendering);
  const drift = shownDrift(planned);
  const parts = [driftText(drift, planned.mode, rendering)];
  const deferred = (planned.deferred ?? []).filter(({ change }) => isShown(change));
  if (changes.length === 0 && outputs.length === 0 && deferred.length === 0) {
    if (!planned.errored && drift.length > 0) return parts[0]!;
    parts.push(nothingText(planned, drift.length > 0, rendering));
  }
  if (drift.length > 0) parts.push(rule(rendering));
  const shown = [...changes, ...deferred.map(({ change }) => change)];
  parts.push(legend(shown, rendering), changesText(changes, planned.errored, rendering), deferredText(deferred, rendering));
  if (outputs.length > 0) parts.push(outputsText(outputs, changes, rendering));
  return parts.join("");
}

/** Actions in the order of the legend. */
const legendOrder: readonly ChangeAction[] = [
  "create",
  "update",
  "delete",
  "deleteThenCreate",
  "createThenDelete",
  "read",
  "forgetThenCreate",
  "forget",
];

function legendLine(action: ChangeAction, style: PlanStyle): string {
  switch (action) {
    case "create":
      return `  ${style.created("+")} create`;
    case "update":
      return `  ${style.updated("~")} update in-place (current -> planned)`;
    case "delete":
      return `  ${style.deleted("-")} destroy`;
    case "deleteThenCreate":
      return `${style.deleted("-")}/${style.created("+")} destroy and then create replacement`;
    case "createThenDelete":
      return `${style.created("+")}/${style.deleted("-")} create replacement and then destroy`;
    case "read":
      return ` ${style.read?.("<=") ?? style.updated("<=")} read (data resources)`;
    case "forgetThenCreate":
      return `${style.deleted(".")}/${style.created("+")} forget and then create replacement`;
    default:
      return `  ${style.deleted(".")} forget`;
  }
}

/** Whether a plan's text has the change. Data sources that leave the state are not shown, and neither are changes that do nothing. */
function isShown(change: ResourceChange): boolean {
  const { address, action } = change;
  const { mode } = address.instance.resource;
  if (mode === "ephemeral" || (mode === "data" && action === "delete")) return false;
  return action !== "noOp" || isMoved(change) || change.importing !== undefined;
}

function isMoved({ address, previousAddress }: ResourceChange | Drift): boolean {
  return !isSameResourceInstance(address.instance, previousAddress);
}

function rule({ style, width }: Rendering): string {
  // OpenTofu begins the decoration before the line break, and ends it once.
  return width <= 1 ? "\n\n" : `${style.faint(`\n${"─".repeat(width - 1)}`)}\n`;
}

/** A change that was made outside of OpenTofu, and its difference, limited to what is relevant to the plan. */
interface ShownDrift {
  readonly drift: Drift;
  readonly difference: Difference;
}

function shownDrift(planned: PlannedChanges): readonly ShownDrift[] {
  const { mode, drift, resources, outputs } = planned;
  if (mode === "refreshOnly") return drift.map((one) => ({ drift: one, difference: differenceOf(one) }));
  if (drift.length === 0) return [];
  // A change of a type alone has no text. The replacement of an object by one with the same values does not count.
  const isEmpty =
    resources.every((change) => !isMoved(change) && (change.action === "noOp" || differenceOf(change).action === "noOp")) &&
    outputs.every((output) => outputDifference(output).action === "noOp");
  if (isEmpty) return [];
  const relevant = Map.groupBy(planned.relevantAttributes(), ({ resource }) => formatResourceInstance(resource));
  return drift.flatMap((one) => {
    const attributes = one.action === "noOp" ? undefined : relevant.get(formatResourceInstance(one.address.instance));
    if (attributes === undefined) return [];
    const limited = differenceOf(
      one,
      attributes.map(({ attribute }) => attribute),
    );
    return limited.action === "noOp" ? [] : [{ drift: one, difference: limited }];
  });
}

function driftText(drift: readonly ShownDrift[], mode: PlanMode, rendering: Rendering): string {
  if (drift.length === 0) return "";
  const { style, width } = rendering;
  const opening =
    'OpenTofu detected the following changes made outside of OpenTofu since the last "tofu apply" which may have affected this plan:\n';
  const closing =
    mode === "refreshOnly"
      ? "\n\nThis is a refresh-only plan, so OpenTofu will not take any actions to undo these. If you were expecting these changes then you " +
        "can apply this plan to record the updated values in the OpenTofu state without changing any remote objects."
      : "\n\nUnless you have made equivalent changes to your configuration, or ignored the relevant attributes using ignore_changes, the " +
        "following plan may include actions to undo or respond to these changes.";
  const changes = drift
    .filter(({ drift: one }) => one.action !== "noOp" || isMoved(one))
    .map(({ drift: one, difference: shown }) => `\n${changeText(one, "detected", rendering, shown)}\n`);
  const { bold, cyan, reset } = style.codes;
  const title = grouped(`\n${bold}${cyan}Note:${reset}${bold} Objects have changed outside of OpenTofu\n`, style);
  return `${title}\n${wordWrap(opening, width)}${changes.join("")}${wordWrap(closing, width)}\n`;
}

/** Title and explanation of a plan without changes, by mode. */
const nothingToDo: Readonly<Record<PlanMode, readonly [string, string]>> = {
  refreshOnly: [
    "Your infrastructure still matches the configuration.",
    "OpenTofu has checked that the real remote objects still match the result of your most recent changes, and found no differences.",
  ],
  destroy: [
    "No objects need to be destroyed.",
    "Either you have not created any objects yet or the existing objects were already deleted outside of OpenTofu.",
  ],
  normal: [
    "Your infrastructure matches the configuration.",
    "OpenTofu has compared your real infrastructure against your configuration and found no differences, so no changes are needed.",
  ],
};

function nothingText({ mode, errored }: PlannedChanges, hasDrift: boolean, rendering: Rendering): string {
  const { style, width } = rendering;
  if (errored) {
    const title = emptyTitle("Planning failed.", "OpenTofu encountered an error while generating this plan.", "red", style);
    return `${hasDrift ? rule(rendering) : ""}${title}`;
  }
  const [sentence, explanation] = nothingToDo[mode];
  return `${emptyTitle("No changes.", sentence, "green", style)}${wordWrap(explanation, width)}\n`;
}

/** The title of a plan without changes. */
function emptyTitle(word: string, sentence: string, color: "green" | "red", style: PlanStyle): string {
  const { bold, reset } = style.codes;
  return grouped(`\n${reset}${bold}${style.codes[color]}${word}${reset}${bold} ${sentence}${reset}\n\n`, style);
}

function legend(changes: readonly ResourceChange[], { style, width }: Rendering): string {
  const actions = new Set(changes.map(({ action }) => action));
  actions.delete("noOp");
  if (actions.size === 0) return "";
  const opening =
    "\nOpenTofu used the selected providers to generate the following execution plan. Resource actions are indicated with the following symbols:";
  const lines = legendOrder.filter((action) => actions.has(action)).map((action) => `${grouped(legendLine(action, style), style)}\n`);
  return `${wordWrap(opening, width)}\n${lines.join("")}`;
}

function changesText(changes: readonly ResourceChange[], errored: boolean, rendering: Rendering): string {
  if (changes.length === 0) return "";
  const opening = errored
    ? "\nOpenTofu planned the following actions, but then encountered a problem:\n"
    : "\nOpenTofu will perform the following actions:\n";
  const texts = changes.map((change) => `\n${changeText(change, "planned", rendering)}\n`);
  return `${opening}${texts.join("")}${summary(changes, rendering)}`;
}

/** Why a change is left to a later plan, as the text names it. */
const deferralReasons: Readonly<Record<DeferralReason, string>> = {
  unknown: "the provider cannot plan it yet",
  resourceConfigUnknown: "its configuration refers to values not yet known",
  providerConfigUnknown: "the configuration of its provider refers to values not yet known",
  absentPrerequisite: "something that it needs does not exist yet",
  deferredPrerequisite: "it depends on a change that is deferred",
  instanceCountUnknown: "the number of its instances is not known yet",
};

function deferredText(deferred: readonly DeferredChange[], rendering: Rendering): string {
  if (deferred.length === 0) return "";
  const { style } = rendering;
  const { bold, cyan, reset } = style.codes;
  const title = grouped(`\n${bold}${cyan}Note:${reset}${bold} This plan is not complete\n`, style);
  const opening = "\nThe following changes are left to a later plan. Plan again after this plan is applied.\n";
  const texts = deferred.map(({ reason, change }) => {
    const comment = `  # (deferred, because ${deferralReasons[reason]})\n`;
    const text = changeText(change, "planned", rendering);
    const header = text.indexOf("\n") + 1;
    return `\n${text.slice(0, header)}${comment}${text.slice(header)}\n`;
  });
  return `${title}${wordWrap(opening, rendering.width)}${texts.join("")}`;
}

function summary(changes: readonly ResourceChange[], { style }: Rendering): string {
  const text = summaryText("plan", countChanges({ resources: changes })).replace("Plan:", style.strong("Plan:"));
  return grouped(`\n${text}\n`, style);
}

function changeText(change: ResourceChange | Drift, cause: ChangeCause, rendering: Rendering, shown = differenceOf(change)): string {
  const { style } = rendering;
  const { mode, type, name } = change.address.instance.resource;
  const text = renderDifference(shown, {
    action: change.action,
    header: `${mode === "managed" ? "resource" : "data"} "${type}" "${name}"`,
    style,
    repeatReplacementNote: true,
    showUnchanged: "importing" in change && change.importing !== undefined,
  });
  return `${changeComment(change, cause, style)}${text}`;
}

function differenceOf(change: ResourceChange | Drift, relevantPaths?: readonly Path[]): Difference {
  const { before, after, beforeMarks, afterMarks, type } = change;
  const full = "requiresReplace" in change ? change : undefined;
  const block = type?.schema.block ?? full?.dataSchema;
  const [markedBefore, markedAfter] = [withPathMarks(before, beforeMarks), withPathMarks(after, afterMarks)];
  const options = {
    isSensitiveMark,
    hidesSets: false,
    ...(relevantPaths && { relevantPaths }),
    ...(full && { requiresReplace: full.requiresReplace }),
  };
  return block === undefined ? valueDifference(markedBefore, markedAfter, options) : difference(block, markedBefore, markedAfter, options);
}

function isSensitiveMark(mark: unknown): boolean {
  return mark === SENSITIVE;
}

function outputLines(outputs: readonly OutputChange[], { style }: Rendering): readonly string[] {
  const names = outputs.map(({ name }) => outputName(name));
  const width = Math.max(0, ...names.map((name) => name.length));
  return outputs
    .toSorted((a, b) => compareCodePoints(a.name, b.name))
    .map((output) => [output.name, outputDifference(output)] as const)
    .filter(([, { action }]) => action !== "noOp")
    .map(([name, one]) => renderDifference(one, { header: `${outputName(name).padEnd(width)} =`, style }));
}

function outputName(name: string): string {
  return /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u.test(name) ? name : goQuote(name);
}

function outputDifference({ before, after, sensitive }: OutputChange): Difference {
  const marks = sensitive ? sensitiveMarks([[]]) : [];
  const [old, now] = [withPathMarks(unmarkDeep(before)[0], marks), withPathMarks(unmarkDeep(after)[0], marks)];
  return valueDifference(old, now, { isSensitiveMark });
}

function outputsText(outputs: readonly string[], changes: readonly ResourceChange[], { width }: Rendering): string {
  const hint = "\nYou can apply this plan to save these new output values to the OpenTofu state, without changing any real infrastructure.";
  const text = `\nChanges to Outputs:\n${outputs.join("\n")}\n`;
  return changes.some(({ action }) => action !== "noOp") ? text : `${text}${wordWrap(hint, width)}\n`;
}
