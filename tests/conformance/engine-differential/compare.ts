// SPDX-License-Identifier: Apache-2.0
import { normalizedLog, normalizedPlan, normalizedState, normalizedStateJson, normalizedStateText, normalizedText } from "./normalize.ts";
import type { Json, Outcome, OutcomeDiagnostic } from "./outcome.ts";

/** A place where the two sides differ. */
export interface Difference {
  /** What was compared: `plan`, `plan text`, `plan log`, `plan diagnostics`, `apply log`, `apply diagnostics`, `state`, `state JSON`, `state text`. */
  readonly part: string;
  /** Path within it; a line of a text. */
  readonly path: string;
  readonly theirs: unknown;
  readonly ours: unknown;
}

/** Compares what both sides have after a step. */
export function compare(theirs: Outcome, ours: Outcome): readonly Difference[] {
  const differences: Difference[] = [];
  compareDiagnostics("plan diagnostics", theirs.planDiagnostics, ours.planDiagnostics, differences);
  compareJson("plan", "", theirs.plan && normalizedPlan(theirs.plan), ours.plan && normalizedPlan(ours.plan), differences);
  if (theirs.planText !== undefined && ours.planText !== undefined)
    compareLines("plan text", normalizedText(theirs.planText), normalizedText(ours.planText), differences);
  compareLogs("plan log", theirs.planLog, ours.planLog, differences);
  compareLogs("apply log", theirs.applyLog ?? [], ours.applyLog ?? [], differences);
  compareDiagnostics("apply diagnostics", theirs.applyDiagnostics, ours.applyDiagnostics, differences);
  // A plan writes no state.
  if (theirs.applyLog === undefined && ours.applyLog === undefined) return differences;
  compareJson("state", "", theirs.state && normalizedState(theirs.state), ours.state && normalizedState(ours.state), differences);
  if (theirs.stateJson !== undefined && ours.stateJson !== undefined)
    compareJson("state JSON", "", normalizedStateJson(theirs.stateJson), normalizedStateJson(ours.stateJson), differences);
  if (theirs.stateText !== undefined && ours.stateText !== undefined)
    compareLines("state text", normalizedStateText(theirs.stateText), normalizedStateText(ours.stateText), differences);
  return differences;
}

/** The diagnostics that only one side has, and those whose ranges differ. */
export function diagnosticDifferences(
  part: string,
  theirs: readonly OutcomeDiagnostic[],
  ours: readonly OutcomeDiagnostic[],
): readonly Difference[] {
  const differences: Difference[] = [];
  compareDiagnostics(part, theirs, ours, differences);
  return differences;
}

function compareDiagnostics(
  part: string,
  theirs: readonly OutcomeDiagnostic[],
  ours: readonly OutcomeDiagnostic[],
  differences: Difference[],
): void {
  const sorted = (all: readonly OutcomeDiagnostic[]): readonly string[] => all.map((one) => normalizedText(JSON.stringify(one))).toSorted();
  const [a, b] = [sorted(theirs), sorted(ours)];
  const added = [...without(b, a)];
  for (const one of without(a, b)) {
    const at = added.findIndex((other) => withoutRange(other) === withoutRange(one));
    const [other] = added.splice(at, at < 0 ? 0 : 1);
    differences.push({ part, path: summaryOf(one), theirs: one, ours: other });
  }
  for (const one of added) differences.push({ part, path: summaryOf(one), theirs: undefined, ours: one });
}

/** The text of a diagnostic without its range. */
export function withoutRange(text: unknown): string {
  return String(text).replace(/"range":"[^"]*"/, "");
}

function summaryOf(text: string): string {
  return (JSON.parse(text) as OutcomeDiagnostic).summary;
}

/** The elements of a list that another list does not have, as often as they are missing. */
function without(all: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return all.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function compareLogs(part: string, theirs: readonly Json[], ours: readonly Json[], differences: Difference[]): void {
  const [a, b] = [normalizedLog(theirs), normalizedLog(ours)];
  for (const subject of new Set([...a.keys(), ...b.keys()])) {
    const [of, by] = [a.get(subject) ?? [], b.get(subject) ?? []];
    const at = of.findIndex((one, index) => one !== by[index]);
    const index = at < 0 ? of.length : at;
    if (of[index] !== by[index]) differences.push({ part, path: subject, theirs: of[index], ours: by[index] });
  }
}

function compareLines(part: string, theirs: string, ours: string, differences: Difference[]): void {
  if (theirs === ours) return;
  const [a, b] = [theirs.split("\n"), ours.split("\n")];
  const at = a.findIndex((line, index) => line !== b[index]);
  const around = (lines: readonly string[]): string => lines.slice(Math.max(0, at - 3), at + 6).join("\n");
  differences.push({ part, path: (a[at] ?? b[at] ?? "").trim(), theirs: around(a), ours: around(b) });
}

function compareJson(part: string, path: string, theirs: unknown, ours: unknown, differences: Difference[]): void {
  if (theirs === ours) return;
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    for (let index = 0; index < Math.max(theirs.length, ours.length); index++)
      compareJson(part, `${path}/${index}`, theirs[index], ours[index], differences);
    return;
  }
  if (isObject(theirs) && isObject(ours)) {
    for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)]))
      compareJson(part, `${path}/${name}`, theirs[name], ours[name], differences);
    return;
  }
  differences.push({ part, path, theirs, ours });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The sort of a difference: its path without names and numbers. */
export function sortOf({ part, path, theirs, ours }: Difference): string {
  if (part.endsWith("log")) return `${part} ${logTypes(theirs)} / ${logTypes(ours)}`;
  const shape = part.endsWith("text")
    ? path
        .replaceAll(/"[^"]*"/g, '""')
        .replaceAll(/[\w.[\]]*\d[\w.[\]]*/g, "_")
        .slice(0, 40)
    : path
        .split("/")
        .map((step) => (/^\d+$/.test(step) ? "*" : /\d/.test(step) ? "_" : step))
        .join("/");
  const side = theirs === undefined ? " only ours" : ours === undefined ? " only theirs" : "";
  return `${part} ${shape}${side}`;
}

function logTypes(line: unknown): string {
  return line === undefined ? "nothing" : String((JSON.parse(String(line)) as Json)["type"]);
}
