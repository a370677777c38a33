// SPDX-License-Identifier: Apache-2.0
import { findingText } from "../laws/report-text.ts";
import type { Finding } from "../laws/run-laws.ts";
import type { ProviderReport, ResourceReport } from "./check-provider.ts";

/** All findings of a report. */
export function allFindings({ findings, resources }: ProviderReport): readonly Finding[] {
  return [...findings, ...resources.flatMap((resource) => resource.findings)];
}

/** Writes a report as text. */
export function reportText(report: ProviderReport): string {
  const sections = report.resources.map(resourceText);
  const ofProvider = report.findings.length === 0 ? [] : [["The provider", ...report.findings.map(indentedText)].join("\n\n")];
  const findings = allFindings(report);
  const errors = findings.filter(({ weight }) => weight === "error").length;
  const typesWithoutCases = report.resources.filter(({ validCases }) => validCases === 0).map(({ typeName }) => typeName);
  const types = counted(report.resources.length, "resource type");
  const summary = `${types}: ${counted(errors, "error")}, ${counted(findings.length - errors, "warning")}`;
  const advice =
    typesWithoutCases.length === 0
      ? []
      : [`No generated configuration is valid for ${typesWithoutCases.join(", ")}: give values with --values.`];
  return [...ofProvider, ...sections, [summary, ...advice].join("\n")].join("\n\n");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function resourceText({ typeName, cases, validCases, outcomes, findings }: ResourceReport): string {
  const steps = ["planned", "created", "updated", "replaced"].flatMap((outcome) =>
    outcomes.has(outcome) ? [`${outcome} ${outcomes.get(outcome)!}`] : [],
  );
  const title = `${typeName}: ${cases} cases, ${[`valid ${validCases}`, ...steps].join(", ")}`;
  // The most frequent reasons if fewer than half of the cases are valid.
  const invalid =
    validCases * 2 > cases ? [] : [...outcomes].filter(([outcome]) => outcome.startsWith("invalid: ")).toSorted(([, a], [, b]) => b - a);
  const reasons = invalid.slice(0, 3).map(([outcome, count]) => `\n  ${count} times ${outcome}`);
  return [[title, ...reasons].join(""), ...findings.map(indentedText)].join("\n\n");
}

function indentedText(finding: Finding): string {
  return `${finding.weight} ${findingText(finding)}`.replaceAll(/^(?=.)/gm, "  ");
}

/** Writes a report as JSON. */
export function reportJson({ findings, resources }: ProviderReport): string {
  const data = {
    findings,
    resources: resources.map(({ outcomes, ...rest }) => ({ ...rest, outcomes: Object.fromEntries(outcomes) })),
  };
  return JSON.stringify(data, undefined, 2);
}
