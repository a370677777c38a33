// SPDX-License-Identifier: Apache-2.0
import type { Finding, LawsRun } from "./run-laws.ts";

/** The text of a failed check: each violated law with the simplest case. */
export function findingsText(typeName: string, run: LawsRun, seed: number): string {
  const count = run.findings.length === 1 ? "1 law" : `${run.findings.length} laws`;
  return [`${typeName} violates ${count} (seed ${seed})`, ...run.findings.map((finding) => `\n${findingText(finding)}`), ""].join("\n");
}

/** The text of one violated law. */
export function findingText({ law, statement, text, advice, configurations }: Finding): string {
  const [first, second] = configurations;
  const shown = first === undefined ? [] : second === undefined ? [indented(first)] : [indented(first), "  then", indented(second)];
  return [`${law}: ${statement}`, indented(text), ...(shown.length === 0 ? [] : ["", ...shown]), "", `  ${advice}`].join("\n");
}

/** The text of a check that generated hardly any valid configuration. */
export function lowYieldText(typeName: string, { cases, validCases, outcomes }: LawsRun): string {
  const reasons = [...outcomes].toSorted(([, a], [, b]) => b - a).filter(([outcome]) => outcome.startsWith("invalid: "));
  return [
    `only ${validCases} of ${cases} generated configurations of ${typeName} are valid: give values that are, with the option \`values\``,
    ...reasons.slice(0, 5).map(([outcome, count]) => `  ${count} times ${outcome}`),
  ].join("\n");
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}
