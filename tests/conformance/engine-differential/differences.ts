// SPDX-License-Identifier: Apache-2.0
// The differences that are known. packages/engine/docs/differences.md has the same names.
import { compare, withoutRange, type Difference } from "./compare.ts";
import { normalizedLog, normalizedStateText, normalizedText } from "./normalize.ts";
import type { Json, Outcome, OutcomeDiagnostic, StepOptions } from "./outcome.ts";
import {
  addressOf,
  checkedBeside,
  destroysAfterCreation,
  destructionsIn,
  errorsOf,
  hasDeposedUnchanged,
  hasGone,
  hasNullOutput,
  hasNullBecomingUnknown,
  hasOutputOutside,
  isCrashOfOutput,
  isNewDeprecation,
  isOfDeposedOnly,
  isOfElements,
  isOfModuleOutput,
  isOfUncheckedOutput,
  isUnconvertible,
  keepsForgotten,
  lacksInnerDependencies,
  leavesOut,
  leavesOutDestructions,
  leavesOutInstances,
  leavesOutReads,
  madeBesideUnchanged,
  plansForgetting,
  rejectsNull,
  staysNull,
  waitsWithForcedObject,
  withoutObjects,
} from "./outcome-facts.ts";

type Explains = (difference: Difference, options: StepOptions, theirs: Outcome, ours: Outcome) => boolean;

const explanations: Readonly<Record<string, Explains>> = {
  "forced-create-before-destroy": ({ part, path, theirs, ours }) =>
    // The sides exchange their states, so that either can be the one that has it.
    part === "state" && path.endsWith("/create_before_destroy") && (theirs === undefined || ours === undefined),
  "text-after-json": ({ part, path, theirs, ours }, _options, { plan }) => {
    if (!part.endsWith(" text")) return false;
    if (part === "plan text" && String(theirs).includes("jsonencode(") && hasTextAfterJson(plan)) return true;
    if (!path.includes("jsonencode(")) return false;
    // The first line that differs is JSON on one side, and a text on the other.
    const [of, by] = [String(theirs).split("\n"), String(ours).split("\n")];
    const line = by[of.findIndex((one, index) => one !== by[index])] ?? "";
    return /(= |^\s*(?:[-+~] )*)("|<<-?EOT)/.test(line) && !line.includes("jsonencode(");
  },
  "unreferenced-module-outputs": ({ part, path, theirs, ours }, _options, of, by) => {
    const isOfOutput = (one: OutcomeDiagnostic): boolean => isOfModuleOutput(one) || isOfUncheckedOutput(one, of, by);
    if (part === "apply diagnostics") return theirs === undefined && isOfOutput(JSON.parse(String(ours)) as OutcomeDiagnostic);
    // An apply with no other errors is complete in tofu.
    if (part === "apply log")
      return (
        ["change_summary", "outputs"].includes(path) && ours === undefined && errorsOf(of).length === 0 && errorsOf(by).every(isOfOutput)
      );
    if (part !== "state" && part !== "state JSON") return false;
    // The sides exchange their states, and a target can leave out what either has.
    const isUnknown = path.endsWith("/status") ? theirs === "unknown" || ours === "unknown" : theirs === undefined;
    return (
      isUnknown &&
      /^\/check(_results|s)\/module\.[^/]*output\.[^/]*\/((objects|instances)\/\d+\/)?(status|failure_messages|problems)$/.test(path)
    );
  },
  "ephemeral-close-after-errors": ({ part, path, theirs, ours }) =>
    part.endsWith("log") && /(^|\.)ephemeral\./.test(path) && theirs === undefined && String(ours).includes(": Closing..."),
  "identity-of-gone-objects": ({ part, path, ours }, _options, { plan }) =>
    part === "plan" &&
    ours === undefined &&
    /\/(before_identity|identity|identity_schema_version|after_identity)$/.test(path) &&
    hasGone(plan),
  "sensitive-set-elements-in-errors": (difference, _options, theirs, ours) => isReworded(difference, theirs, ours, withoutSetElement),
  "exclusions-of-unknown-calls": (difference, _options, theirs, ours) =>
    /^Invalid (count|for_each) argument$/.test(difference.path) && isReworded(difference, theirs, ours, withoutExclusion),
  "contains-null": (_difference, _options, theirs, ours) => rejectsNull(theirs) && !rejectsNull(ours),
  "null-elements-that-become-unknown": ({ part }, _options, { plan, planText }) =>
    part === "plan text" &&
    planText === "OpenTofu crashed: runtime error: invalid memory address or nil pointer dereference\n" &&
    hasNullBecomingUnknown(plan),
  "gone-deposed-objects": ({ part, path }, _options, theirs, ours) => {
    if (part !== "plan" || !path.startsWith("/resource_changes/") || theirs.plan === undefined) return false;
    const changes = (theirs.plan["resource_changes"] ?? []) as readonly Json[];
    const others = changes.filter(({ deposed, change }) => deposed === undefined || !isNothing(change as Json));
    if (others.length === changes.length) return false;
    const plan = { ...theirs.plan, resource_changes: others };
    return !compare({ ...theirs, plan }, ours).some((one) => one.part === "plan" && one.path.startsWith("/resource_changes"));
  },
  "types-of-gone-objects": ({ part, path, theirs: of, ours: by }, { mode }, theirs) => {
    if (part === "apply log" || part === "state text") {
      const areSame = of !== undefined && by !== undefined && withoutTypes(part, of) === withoutTypes(part, by);
      return mode === "refreshOnly" && areSame && hasNullOutput(theirs, undefined, "state");
    }
    // The step after a refresh-only one starts from its state.
    const isPrior = path.startsWith("/prior_state/");
    const [, place, name] = /^(\/prior_state|\/planned_values)?(?:\/values)?\/outputs\/([^/]*)\/type(?:\/|$)/.exec(path) ?? [];
    if (name === undefined || (by !== "dynamic" && of !== "dynamic")) return false;
    // A plan has the type that the state had of a value that stays null.
    if (place === "/planned_values") return staysNull(theirs, name);
    return (isPrior || mode === "refreshOnly") && hasNullOutput(theirs, name, isPrior ? "plan" : "state");
  },
  "sensitivity-of-failed-destructions": ({ part, path, theirs: of, ours: by }, _options, _theirs, { applyLog = [] }) =>
    ((part === "state" && of === undefined && /\/sensitive_attributes(\/|$)/.test(path)) ||
      (part === "state JSON" && of === undefined && /\/sensitive_values(\/|$)/.test(path)) ||
      (part === "state text" && String(by).includes("(sensitive value)"))) &&
    destructionsIn(applyLog, "apply_errored") > 0,
  "limits-of-undeclared-modules": ({ part, path }, { mode = "normal", targets = [], excludes = [] }, theirs, ours) => {
    if (targets.length + excludes.length === 0) return false;
    const known = new Set(instancesIn(ours.planLog));
    const others = instancesIn(theirs.planLog).filter((address) => !known.has(address) && /^module\..*\]\./.test(address));
    // Other plans than normal ones only read these objects.
    return mode === "normal" ? others.length > 0 : part === "plan log" && others.includes(path);
  },
  "conditions-of-unchanged-targets": ({ part, path, theirs, ours }, { targets = [], excludes = [] }, of, by) => {
    if (targets.length + excludes.length === 0) return false;
    // The warning of such a condition.
    if (part === "apply diagnostics" && path === "Value derived from a deprecated source")
      return theirs === undefined && [...checkedBeside(of, by)].some(([name]) => name.startsWith("output."));
    return (
      (part === "state" || part === "state JSON") &&
      /^\/check(_results|s)\/.*\/status$/.test(path) &&
      theirs === "unknown" &&
      ours === "pass" &&
      (targets.length > 0 || /^\/check(_results|s)\/(output|.*var)\./.test(path)) &&
      !targets.some((target) => path.startsWith(`/check_results/${target}`) || path.startsWith(`/checks/${target}`))
    );
  },
  "dependencies-of-unchanged-targets": ({ part }, { targets }, theirs, ours) =>
    ["apply log", "apply diagnostics", "state", "state JSON", "state text"].includes(part) &&
    (targets ?? []).length > 0 &&
    (leavesOut(theirs) || leavesOutInstances(theirs, ours)),
  "dependencies-beside-module-instances": ({ part, path }, _options, theirs, ours) =>
    ((part === "state" && /\/dependencies(\/|$)/.test(path)) || (part === "state JSON" && /\/depends_on(\/|$)/.test(path))) &&
    lacksInnerDependencies(theirs, ours),
  "provider-functions-of-module-calls": ({ part, path, ours: by }, _options, theirs, ours) => {
    const isUninitialized = (summary: string): boolean => summary.endsWith("Uninitialized function provider");
    // The plan can have other errors, which both sides have.
    if (part === "plan diagnostics" && isUninitialized(path)) return by === undefined;
    const errors = theirs.planDiagnostics.filter(({ severity }) => severity === "error");
    const isOurs = ours.planDiagnostics.some(({ summary }) => isUninitialized(summary));
    return !isOurs && errors.length > 0 && errors.every(({ summary }) => isUninitialized(summary));
  },
  "unconvertible-elements": ({ part, path, ours: by }, _options, theirs, ours) => {
    if (theirs.isPlanned) return false;
    const errors = theirs.planDiagnostics.filter(({ severity }) => severity === "error");
    const isOfElementsOrUnknown = ({ summary, detail }: OutcomeDiagnostic): boolean =>
      isOfElements(summary) || detail.includes(": planned unknown for configured value.");
    // What comes after the value can have errors of its own, which only the engine finds.
    const isAlone = errors.length > 0 && errors.every(isOfElementsOrUnknown);
    if (isAlone && !ours.planDiagnostics.some(isUnconvertible)) return ours.isPlanned || part.startsWith("plan");
    if (part !== "plan diagnostics" || !ours.planDiagnostics.some(isUnconvertible)) return false;
    return by === undefined ? isOfElements(path) : isUnconvertible(JSON.parse(String(by)) as OutcomeDiagnostic);
  },
  "variables-of-forgotten-objects": ({ part, path, ours: by }, { mode }, theirs) => {
    if (mode !== "destroy" || !plansForgetting(theirs)) return false;
    if (part === "apply diagnostics") return path === "Value derived from a deprecated source" && by === undefined;
    return (
      (part === "state" || part === "state JSON") &&
      /^\/check(_results|s)\/module\.(.*\.)?var\.[^/]*\//.test(path) &&
      (by === "unknown" || by === undefined || by === null)
    );
  },
  "resolved-cycles": (_difference, _options, theirs, ours) =>
    ours.isPlanned &&
    !ours.applyDiagnostics.some(({ summary }) => summary.startsWith("Cycle: ")) &&
    destroysAfterCreation(ours) &&
    theirs.planDiagnostics.some(({ summary }) => /^Cycle: .*\(destroy/.test(summary)) &&
    theirs.planDiagnostics.every(({ severity, summary }) => severity !== "error" || summary.startsWith("Cycle: ")),
  "cycles-of-changes": ({ part, path }, _options, ...outcomes) => {
    const [theirs, ours] = outcomes.map(({ planDiagnostics }) => {
      const cycle = planDiagnostics.find(({ summary }) => /^Cycle: .*\(destroy/.test(summary))?.summary ?? "Cycle: ";
      return new Set(
        cycle
          .slice("Cycle: ".length)
          .replaceAll(/ deposed [0-9a-f]{8}\)/g, ")")
          .split(", "),
      );
    });
    return part === "plan diagnostics" && path.startsWith("Cycle: ") && ours!.isSubsetOf(theirs!) && !ours!.has("");
  },
  "deposed-by-failed-plans": ({ part, path }, _options, theirs, ours) =>
    ((part === "state" && (path.endsWith("/deposed") || isOfDeposedOnly(path, theirs))) ||
      part === "state JSON" ||
      part === "state text") &&
    hasDeposedUnchanged(theirs, ours),
  "destructions-of-forced-objects": ({ part }, _options, theirs, ours) =>
    ["apply log", "state", "state JSON", "state text"].includes(part) && errorsOf(ours).length > 0 && waitsWithForcedObject(theirs, ours),
  "dependents-of-forgotten-targets": ({ part }, { mode, targets = [] }, theirs, ours) =>
    ["apply log", "apply diagnostics", "state", "state JSON", "state text"].includes(part) &&
    mode === "destroy" &&
    targets.length > 0 &&
    plansForgetting(theirs) &&
    ((keepsForgotten(theirs) && !keepsForgotten(ours)) ||
      destructionsIn(theirs.applyLog ?? [], "apply_start") < destructionsIn(theirs.planLog, "planned_change")),
  "changes-beside-unneeded-values": ({ part, path }, _options, theirs, ours) => {
    if (!["apply log", "state", "state JSON", "state text"].includes(part)) return false;
    const made = madeBesideUnchanged(theirs, ours);
    if (part === "apply log") return made.has(path);
    const rest = compare(withoutObjects(theirs, made), withoutObjects(ours, made));
    return made.size > 0 && !rest.some((one) => one.part === "state");
  },
  "changes-beside-exclusions": ({ part }, { excludes = [] }, theirs) =>
    ["apply log", "state", "state JSON", "state text"].includes(part) &&
    excludes.length > 0 &&
    (keepsForgotten(theirs) || leavesOutDestructions(theirs) || leavesOutReads(theirs)),
  "outputs-outside-of-the-plan": (difference, { targets = [], excludes = [] }, theirs, ours) => {
    if (targets.length + excludes.length === 0) return false;
    if (theirs.applyDiagnostics.some(isCrashOfOutput)) return /^(apply|state)/.test(difference.part);
    const names = difference.part === "state text" ? differingOutput(theirs, ours) : outputsOf(difference);
    if (names.length > 0) return names.every((name) => !(name in ((theirs.plan?.["output_changes"] ?? {}) as Json)));
    const { part, path, theirs: of, ours: by } = difference;
    const isOfRoot = ({ severity, address, range }: OutcomeDiagnostic): boolean =>
      severity === "error" && address === "" && range !== "" && !range.includes("/") && hasOutputOutside(theirs);
    // The warnings of such an output, whose value stays the same, and the errors of its expression.
    if (part === "apply diagnostics") {
      if (by !== undefined) return false;
      const diagnostic = JSON.parse(String(of)) as OutcomeDiagnostic;
      return isNewDeprecation(diagnostic, theirs) || isOfRoot(diagnostic);
    }
    if (part === "apply log" && ["change_summary", "outputs"].includes(path) && of === undefined)
      return errorsOf(ours).length === 0 && errorsOf(theirs).length > 0 && errorsOf(theirs).every(isOfRoot);
    // The variables and outputs of modules, to which such an output refers.
    if ((part !== "state" && part !== "state JSON") || !hasOutputOutside(theirs)) return false;
    const [, field] = /^\/check(?:_results|s)\/module\.[^/]*\.(?:var|output)\.[^/]*\/(status|objects|instances)$/.exec(path) ?? [];
    if (field === "status") return of === "pass" && by === "unknown";
    const passes = (one: unknown): boolean => (one as Json)["status"] === "pass";
    return field !== undefined && Array.isArray(of) && of.length > 0 && of.every(passes) && (by === undefined || by === null);
  },
  // The sides are texts of diagnostics.
  "deprecation-ranges": ({ part, path, theirs, ours }) =>
    part.endsWith("diagnostics") && path === "Value derived from a deprecated source" && withoutRange(theirs) === withoutRange(ours),
  "absent-provider-blocks": ({ part, path, theirs }, _options, { planDiagnostics }) =>
    part === "plan diagnostics" &&
    path === "Invalid provider configuration" &&
    theirs === undefined &&
    planDiagnostics.some(({ range }) => range.includes(" with no configuration:")),
  "ranges-of-absent-imports": ({ part, path, theirs: of, ours: by }, _options, theirs, ours) => {
    const isOfRepetition = ({ summary }: OutcomeDiagnostic): boolean => /^Invalid (count|for_each) argument$/.test(summary);
    const isAbsent = ({ summary, range }: OutcomeDiagnostic): boolean =>
      summary === "Configuration for import target does not exist" && range === "";
    if (!part.startsWith("plan") || !theirs.planDiagnostics.some(isAbsent)) return false;
    // OpenTofu's error replaces the errors and the changes of the rest of the plan.
    if (ours.planDiagnostics.some(isOfRepetition)) return true;
    return (
      part === "plan diagnostics" && path === "Configuration for import target does not exist" && withoutRange(of) === withoutRange(by)
    );
  },
  "completion-of-deposed-objects": ({ part, path, theirs: of, ours: by }, _options, theirs) => {
    if (part !== "apply log") return false;
    const started = (theirs.applyLog ?? []).filter(({ type }) => type === "apply_start").map(({ hook }) => addressOf(hook));
    if (path === "change_summary") {
      const missing = removedIn(by) - removedIn(of);
      return missing > 0 && missing <= started.length - new Set(started).size;
    }
    return of === undefined && /"type":"apply_(complete|errored)"/.test(String(by)) && started.indexOf(path) !== started.lastIndexOf(path);
  },
  "unknown-arguments-of-ephemeral-resources": ({ part, path, ours: text }, _options, theirs, ours) => {
    // The text of a plan shows the drift of relevant attributes.
    const isOfDrift = part === "plan text" && /^ +# \S.* has (?:been deleted|changed)$/m.test(String(text));
    if (!isOfDrift && !(part === "plan" && /^\/relevant_attributes(\/|$)/.test(path))) return false;
    const [of, by] = [theirs, ours].map(
      ({ plan }) => new Set(((plan?.["relevant_attributes"] ?? []) as readonly Json[]).map((one) => JSON.stringify(one))),
    );
    return of!.isSubsetOf(by!) && [...by!.difference(of!)].some((one) => /"resource":"(?:module\.[^"]*\.)?ephemeral\./.test(one));
  },
  "drift-of-failed-imports": ({ part, path, theirs: of, ours: by }, _options, theirs) => {
    if (part !== "plan log" || path !== "resource_drift" || theirs.isPlanned || by !== undefined) return false;
    const eventsOf = (address: string): readonly unknown[] =>
      theirs.planLog.filter(({ hook }) => addressOf(hook) === address).map(({ type }) => type);
    return String(of)
      .split("\n")
      .map((line) => (JSON.parse(line) as Json)["change"] as Json)
      .every((change) => change["action"] === "delete" && /^refresh_start(,refresh_complete)?$/.test(eventsOf(addressOf(change)).join()));
  },
  "log-of-failed-plans": ({ part, path }, _options, theirs, ours) => {
    if (part !== "plan log" || theirs.isPlanned || ours.isPlanned || !path.includes(".")) return false;
    const [of, by] = [theirs, ours].map(({ planLog }) => normalizedLog(planLog).get(path) ?? []);
    return of!.length < by!.length && isPartOf(of!, by!);
  },
};

/** The addresses of the instances that a log is about. */
function instancesIn(log: readonly Json[]): readonly string[] {
  return log.map(({ hook, change }) => addressOf(hook ?? change));
}

/** Number of removed objects that a summary of changes has. */
function removedIn(summary: unknown): number {
  if (summary === undefined) return 0;
  const { changes } = JSON.parse(String(summary)) as { readonly changes: { readonly remove: number } };
  return changes.remove;
}

/** Whether a list has all lines of another one, in their order. */
function isPartOf(lines: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  for (const line of all) if (line === lines[at]) at++;
  return at === lines.length;
}

/** Whether a plan has a text that begins with a JSON object or array and goes on after it. */
function hasTextAfterJson(plan: Json | undefined): boolean {
  let found = false;
  JSON.stringify([plan?.["resource_changes"], plan?.["output_changes"]], (_key, value: unknown) => {
    if (typeof value === "string" && /^[[{]/.test(value)) found ||= goesOnAfterJson(value);
    return value;
  });
  return found;
}

function goesOnAfterJson(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return String(error).includes("after JSON");
  }
}

/** Whether the other side has the same diagnostic except for a text. */
function isReworded({ part, theirs, ours }: Difference, of: Outcome, by: Outcome, reword: (text: string) => string): boolean {
  if (!part.endsWith(" diagnostics")) return false;
  const { planDiagnostics, applyDiagnostics } = theirs === undefined ? of : by;
  const text = String(theirs ?? ours);
  const others = [...planDiagnostics, ...applyDiagnostics].map((one) => normalizedText(JSON.stringify(one)));
  return others.some((other) => other !== text && reword(other) === reword(text));
}

/** The text of a diagnostic without the address that it suggests to exclude. */
function withoutExclusion(text: string): string {
  return text.replace(/ -exclude=\S+ /, " ");
}

/** The text of a diagnostic with the text about a sensitive attribute in place of that about an element of a set. */
function withoutSetElement(text: string): string {
  return text.replace(
    /(?:planned set element .*? does not correlate with any element in actual|actual set element .*? does not correlate with any element in plan)/,
    "inconsistent values for sensitive attribute",
  );
}

/** Whether a change is none of an object that does not exist. */
function isNothing({ before, after }: Json): boolean {
  return before === null && after === null;
}

/** The message about the values of outputs, or lines of the state's text, without the types of null. */
function withoutTypes(part: string, text: unknown): string {
  if (part === "state text") return String(text).replaceAll(/ = (?:\[\]|\{\})$/gm, " = null");
  return JSON.stringify(JSON.parse(String(text)), (key, value: unknown) => (key === "type" ? undefined : value));
}

/** Differences after which the sides have other objects, so that the case ends. */
export const divergingDifferences: ReadonlySet<string> = new Set([
  "destructions-of-forced-objects",
  "deposed-by-failed-plans",
  "resolved-cycles",
  "dependencies-of-unchanged-targets",
  "dependencies-beside-module-instances",
  "dependents-of-forgotten-targets",
  "changes-beside-exclusions",
  "changes-beside-unneeded-values",
  "outputs-outside-of-the-plan",
  "provider-functions-of-module-calls",
  "unconvertible-elements",
  "contains-null",
  "limits-of-undeclared-modules",
  "sensitivity-of-failed-destructions",
]);

/** The names of the outputs of the root module whose values differ. */
function outputsOf({ part, path, theirs, ours }: Difference): readonly string[] {
  if (part === "state" || part === "state JSON") return (/^(?:\/values)?\/outputs\/([^/]+)/.exec(path) ?? []).slice(1);
  if (part !== "apply log" || path !== "outputs" || theirs === undefined || ours === undefined) return [];
  const [of, by] = [theirs, ours].map((line) => (JSON.parse(String(line)) as { readonly outputs: Json }).outputs);
  const names = [...new Set([...Object.keys(of!), ...Object.keys(by!)])];
  return names.filter((name) => JSON.stringify(of![name]) !== JSON.stringify(by![name]));
}

/** The output of the root module in which the texts of the states begin to differ. */
function differingOutput(theirs: Outcome, ours: Outcome): readonly string[] {
  const [of, by] = [theirs, ours].map(({ stateText = "" }) => normalizedStateText(stateText).split("\n"));
  const before = of!.slice(of!.indexOf("Outputs:") + 1, of!.findIndex((line, index) => line !== by![index]) + 1);
  return before.flatMap((line) => /^(\w+) += /.exec(line)?.[1] ?? []).slice(-1);
}

/** Names of all differences that can explain one. */
export const differenceNames: readonly string[] = Object.keys(explanations);

/** The name of what explains a difference of a step; undefined: nothing does. */
export function explanationOf(difference: Difference, options: StepOptions, theirs: Outcome, ours: Outcome): string | undefined {
  return differenceNames.find((name) => explanations[name]!(difference, options, theirs, ours));
}
