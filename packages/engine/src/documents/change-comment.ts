// SPDX-License-Identifier: Apache-2.0
import { of, string } from "@tenon/cty";
import { encode, toTree } from "@tenon/cty/json";
import { describeChange, grouped, type DescribedChange } from "@tenon/schema/difference";
import { formatModuleInstance } from "../address/module.ts";
import { formatResource, formatResourceInstance, isSameResourceInstance } from "../address/resource.ts";
import type { ActionReason, Drift, Importing, ResourceChange } from "../change/planned-changes.ts";
import type { PlanStyle } from "./plan-style.ts";

/** Whether a change is planned, or was detected because it was made outside of OpenTofu. */
export type ChangeCause = "planned" | "detected";

/** The comment lines above a change in a plan's text, each with its line break. @see OpenTofu jsonformat/plan.go, resourceChangeComment */
export function changeComment(change: ResourceChange | Drift, cause: ChangeCause, style: PlanStyle): string {
  const full: ResourceChange | undefined = "requiresReplace" in change ? change : undefined;
  const isMoved = !isSameResourceInstance(change.address.instance, change.previousAddress);
  const importing = full?.importing;
  const isReplacement = change.action === "createThenDelete" || change.action === "deleteThenCreate";
  const lines = [
    ...actionLines(change, full, cause, style),
    ...(isMoved && change.action !== "noOp"
      ? [`  # ${style.codes.reset}(moved from ${formatResourceInstance(change.previousAddress)})`]
      : []),
    ...(importing ? [importLine(importing, style)] : []),
    ...(importing && isReplacement ? [`  # ${style.codes.reset}${style.updated("Warning: this will destroy the imported resource")}`] : []),
  ];
  return grouped(`${lines.join("\n")}\n`, style);
}

function actionLines(
  change: ResourceChange | Drift,
  full: ResourceChange | undefined,
  cause: ChangeCause,
  style: PlanStyle,
): readonly string[] {
  const { address, previousAddress, action } = change;
  const reason = full?.reason;
  const instance = formatResourceInstance(address.instance);
  const shown = address.deposed === undefined ? instance : `${instance} (deposed object ${address.deposed})`;
  const start = style.strong(`  # ${shown}`);
  const deposed = address.deposed === undefined ? [] : ["  # (left over from a partially-failed replacement of this instance)"];
  switch (action) {
    case "create":
      return [describeChange(shown, { action }, style)];
    case "read":
      return [describeChange(shown, { action }, style), ...readLines(reason)];
    case "update":
      return [cause === "planned" ? describeChange(shown, { action }, style) : `${start} has changed`];
    case "createThenDelete":
    case "deleteThenCreate":
      return [describeChange(shown, { action: "replace", ...replacementReason(reason) }, style)];
    case "forgetThenCreate": {
      const { bold, reset, yellow } = style.codes;
      const kept = `${yellow}older instance will ${bold}not${reset}${yellow} be destroyed ${reset}`;
      const replaced = describeChange(shown, { action: "replace", ...replacementReason(reason) }, style);
      return [`${replaced} - ${kept}(${style.strong("lifecycle.destroy = false")})`, ...deposed];
    }
    case "delete": {
      const deleted = cause === "planned" ? describeChange(shown, { action }, style) : `${start} has been deleted`;
      return [deleted, ...deleteLines(change, reason), ...deposed];
    }
    case "forget": {
      const kept = style.strong(style.deleted("but will not be destroyed"));
      return [`${start} will be removed from the OpenTofu state ${kept}${forgetReason(reason, style)}`, ...deposed];
    }
    default: {
      if (!isSameResourceInstance(address.instance, previousAddress)) {
        return [`${style.strong(`  # ${formatResourceInstance(previousAddress)}`)} has moved to ${style.strong(shown)}`];
      }
      const generated = (full?.generatedConfig ?? "") === "" ? [] : [`  #${style.codes.reset} (config will be generated)`];
      return [`${start} will be imported`, ...generated];
    }
  }
}

function readLines(reason: ActionReason | undefined): readonly string[] {
  switch (reason) {
    case "read_because_config_unknown":
      return ["  # (config refers to values not yet known)"];
    case "read_because_dependency_pending":
      return ["  # (depends on a resource or a module with changes pending)"];
    case "read_because_check_nested":
      return ["  # (config will be reloaded to verify a check block)"];
    default:
      return [];
  }
}

function replacementReason(reason: ActionReason | undefined): Pick<DescribedChange, "reason"> {
  switch (reason) {
    case "replace_because_tainted":
      return { reason: "tainted" };
    case "replace_by_request":
      return { reason: "requested" };
    case "replace_by_triggers":
      return { reason: "triggered" };
    default:
      return {};
  }
}

function deleteLines({ address, previousAddress }: ResourceChange | Drift, reason: ActionReason | undefined): readonly string[] {
  const { instance } = address;
  const { key } = instance;
  switch (reason) {
    case "delete_because_no_resource_config":
      return [`  # (because ${formatResource({ ...instance.resource, mode: "managed" })} is not in configuration)`];
    case "delete_because_no_move_target": {
      const [from, to] = [formatResourceInstance(previousAddress), formatResourceInstance(instance)];
      return [`  # (because ${from === to ? "" : from} was moved to ${to}, which is not in configuration)`];
    }
    case "delete_because_no_module":
      return [`  # (because ${formatModuleInstance(instance.module)} is not in configuration)`];
    case "delete_because_wrong_repetition": {
      if (key === undefined) return ["  # (because resource uses count or for_each)"];
      return [`  # (because resource does not use ${typeof key === "number" ? "count" : "for_each"})`];
    }
    case "delete_because_count_index":
      return [`  # (because index [${keyText(key)}] is out of range for count)`];
    case "delete_because_enabled_false":
      return ["  # (because enabled is false)"];
    case "delete_because_each_key":
      return [`  # (because key [${keyText(key)}] is not in for_each map)`];
    default:
      return [];
  }
}

function keyText(key: number | string | undefined): string {
  return typeof key === "string" ? encode(of(string, key), string) : String(key ?? "");
}

function forgetReason(reason: ActionReason | undefined, style: PlanStyle): string {
  const setting = style.strong("lifecycle.destroy = false");
  switch (reason) {
    case "forgot_because_lifecycle_destroy_in_state":
      return ` \n (because ${setting} was configured before this resource was removed from the configuration)`;
    case "forgot_because_lifecycle_destroy_in_config":
      return ` \n (because ${setting} is set in the configuration)`;
    default:
      return "";
  }
}

function importLine(importing: Importing, { codes: { reset } }: PlanStyle): string {
  if ("id" in importing) return `  # ${reset}${importing.id === "" ? "(will be imported first)" : `(imported from "${importing.id}")`}`;
  const tree = toTree(importing.identity, importing.identity.type);
  return `  # ${reset}imported using resource identity: ${JSON.stringify(tree, null, 2).replaceAll("\n", "\n  # ")}`;
}
