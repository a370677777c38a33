// SPDX-License-Identifier: Apache-2.0
import type { AddressedDiagnostic } from "@tenon/engine";
import type { Diagnostic, SourceRange } from "@tenon/hcl";

/** How the diagnostics of a text are grouped. */
export interface DiagnosticGrouping {
  /** Whether warnings with the same summary are shown once. Default: true. */
  readonly consolidateWarnings?: boolean;
  /** Whether errors with the same summary are shown once. Default: false. */
  readonly consolidateErrors?: boolean;
}

/** A diagnostic, or several with the same summary. */
export interface ShownDiagnostic {
  /** The first one, with a note about the others. */
  readonly diagnostic: AddressedDiagnostic;
  readonly ranges: readonly (SourceRange | undefined)[];
}

/** Sorts diagnostics as a text shows them, and groups those with the same summary. @see OpenTofu tfdiags, Diagnostics.Sort and Consolidate */
export function shownDiagnostics(
  diagnostics: readonly AddressedDiagnostic[],
  { consolidateWarnings = true, consolidateErrors = false }: DiagnosticGrouping = {},
): readonly ShownDiagnostic[] {
  const groups: AddressedDiagnostic[][] = [];
  const bySummary = new Map<string, AddressedDiagnostic[]>();
  const deprecated = new Set<string>();
  for (const diagnostic of diagnostics.toSorted(compareDiagnostics)) {
    if (isShownDeprecation(diagnostic, deprecated)) continue;
    const isGrouped = diagnostic.severity === "warning" ? consolidateWarnings : consolidateErrors;
    if (!isGrouped || diagnostic.subject === undefined || isNeverGrouped(diagnostic)) {
      groups.push([diagnostic]);
      continue;
    }
    const { severity, summary, extra } = diagnostic;
    const key = `${severity} ${summary} ${extra?.kind === "deprecatedSource" ? extra.by : ""}`;
    let group = bySummary.get(key);
    if (group === undefined) {
      bySummary.set(key, (group = []));
      groups.push(group);
    }
    group.push(diagnostic);
  }
  return groups.map((group) => ({ diagnostic: withNote(group), ranges: group.map(({ subject }) => subject) }));
}

/** Whether a shown diagnostic is about the same deprecated value. Records the diagnostic as shown. @see OpenTofu tofu, DeprecationDiagnosticAllowed */
function isShownDeprecation({ extra }: Diagnostic, shown: Set<string>): boolean {
  if (extra?.kind !== "deprecatedSource") return false;
  const key = `${extra.by} ${extra.isFromRemoteModule}`;
  if (shown.has(key)) return true;
  shown.add(key);
  return false;
}

/** Whether a diagnostic is shown on its own, as those of failed conditions are. @see OpenTofu addrs, CheckRuleDiagnosticExtra */
function isNeverGrouped({ extra }: Diagnostic): boolean {
  return extra?.kind === "condition";
}

/** The first diagnostic of a group, with a note about the others. */
function withNote([first, ...others]: readonly AddressedDiagnostic[]): AddressedDiagnostic {
  if (others.length === 0) return first!;
  const { severity } = first!;
  const note =
    others.length === 1 ? `(and one more similar ${severity} elsewhere)` : `(and ${others.length} more similar ${severity}s elsewhere)`;
  return { ...first!, detail: first!.detail === "" ? note : `${first!.detail}\n\n${note}` };
}

function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  if (a.severity !== b.severity) return a.severity === "warning" ? -1 : 1;
  if (a.subject === undefined || b.subject === undefined) return Number(a.subject !== undefined) - Number(b.subject !== undefined);
  return (
    depthOf(a.subject) - depthOf(b.subject) ||
    (a.subject.filename < b.subject.filename ? -1 : a.subject.filename > b.subject.filename ? 1 : 0) ||
    a.subject.start.byte - b.subject.start.byte ||
    a.subject.end.byte - b.subject.end.byte
  );
}

function depthOf({ filename }: SourceRange): number {
  return filename.split("/").length;
}
