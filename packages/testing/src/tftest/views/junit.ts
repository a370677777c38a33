// SPDX-License-Identifier: Apache-2.0
import { stripVTControlCharacters } from "node:util";
import { renderDiagnostic } from "@tenon/engine/documents";
import { statusWord } from "../status.ts";
import type { TestFileResult, TestRunResult, TestSuiteResult } from "../suite.ts";
import { countRuns } from "./summary.ts";

/** The results of test files as a JUnit report in XML, which CI systems read: a test suite for each file, a test case for each run block. */
export function junitReport(suite: TestSuiteResult): string {
  const totals = attributesOf(
    countRuns(suite),
    suite.files.flatMap(({ runs }) => runs),
  );
  const errors = suite.diagnostics.filter(({ severity }) => severity === "error");
  const problem =
    errors.length === 0
      ? []
      : [
          `  <testsuite name="configuration" tests="1" failures="0" errors="1" skipped="0" time="0.000">`,
          `    <testcase name="load" classname="configuration" time="0.000">`,
          `      <error message="${escaped(errors[0]!.summary)}">${escaped(errors.map((one) => renderDiagnostic(one, suite.sources)).join(""))}</error>`,
          "    </testcase>",
          "  </testsuite>",
        ];
  const files = suite.files.flatMap((file) => fileLines(file, suite));
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${totals}>`, ...problem, ...files, "</testsuites>", ""].join("\n");
}

function attributesOf(
  { passed, failed, errored, skipped }: ReturnType<typeof countRuns>,
  runs: readonly Pick<TestRunResult, "milliseconds">[],
): string {
  const seconds = runs.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
  const tests = passed + failed + errored + skipped;
  return `tests="${tests}" failures="${failed}" errors="${errored}" skipped="${skipped}" time="${seconds.toFixed(3)}"`;
}

function fileLines(file: TestFileResult, { sources }: TestSuiteResult): readonly string[] {
  const totals = attributesOf(countRuns({ files: [file] }), file.runs);
  const leftovers = file.cleanups.flatMap(({ diagnostics }) => diagnostics.filter(({ severity }) => severity === "error"));
  const cases = file.runs.flatMap((run) => runLines(file.path, run, sources));
  const output = leftovers.map((one) => renderDiagnostic(one, sources)).join("");
  return [
    `  <testsuite name="${escaped(file.path)}" ${totals}>`,
    ...cases,
    ...(output === "" ? [] : [`    <system-err>${escaped(output)}</system-err>`]),
    "  </testsuite>",
  ];
}

function runLines(
  path: string,
  { name, status, diagnostics, milliseconds }: TestRunResult,
  sources: TestSuiteResult["sources"],
): readonly string[] {
  const start = `    <testcase name="${escaped(name)}" classname="${escaped(path)}" time="${(milliseconds / 1000).toFixed(3)}"`;
  if (status === "skip") return [`${start}>`, "      <skipped/>", "    </testcase>"];
  if (statusWord(status) === "pass") return [`${start}/>`];
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const element = status === "error" ? "error" : "failure";
  const text = errors.map((one) => renderDiagnostic(one, sources)).join("");
  return [`${start}>`, `      <${element} message="${escaped(errors[0]?.summary ?? "")}">${escaped(text)}</${element}>`, "    </testcase>"];
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text in XML. Characters that XML cannot have are left out. */
function escaped(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replaceAll(/[&<>"]/g, (character) => entities[character]!);
}
