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
  const general = report.findings.length === 0 ? [] : [["The provider", ...report.findings.map(shown)].join("\n\n")];
  const findings = allFindings(report);
  const errors = findings.filter(({ weight }) => weight === "error").length;
  const types = report.resources.length === 1 ? "1 resource type" : `${report.resources.length} resource types`;
  const unchecked = report.resources.filter(({ validCases }) => validCases === 0).map(({ typeName }) => typeName);
  const summary = `${types}: ${errors} ${errors === 1 ? "error" : "errors"}, ${findings.length - errors} ${findings.length - errors === 1 ? "warning" : "warnings"}`;
  const advice =
    unchecked.length === 0 ? [] : [`No generated configuration is valid for ${unchecked.join(", ")}: give values with --values.`];
  return [...general, ...sections, [summary, ...advice].join("\n")].join("\n\n");
}

function resourceText({ typeName, cases, validCases, outcomes, findings }: ResourceReport): string {
  const did = ["planned", "created", "updated", "replaced"].flatMap((outcome) =>
    outcomes.has(outcome) ? [`${outcome} ${outcomes.get(outcome)!}`] : [],
  );
  const title = `${typeName}: ${cases} cases, ${[`valid ${validCases}`, ...did].join(", ")}`;
  const refused =
    validCases * 2 > cases ? [] : [...outcomes].filter(([outcome]) => outcome.startsWith("invalid: ")).toSorted(([, a], [, b]) => b - a);
  const reasons = refused.slice(0, 3).map(([outcome, count]) => `\n  ${count} times ${outcome}`);
  return [[title, ...reasons].join(""), ...findings.map(shown)].join("\n\n");
}

function shown(finding: Finding): string {
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
