// SPDX-License-Identifier: Apache-2.0
import { stripVTControlCharacters } from "node:util";
import type { AddressedDiagnostic } from "@tenon/engine";
import { renderDiagnostic } from "@tenon/engine/documents";
import type { TestFileResult, TestRunResult, TestSuiteResult } from "../suite.ts";
import { countRuns } from "./summary.ts";

/** The results of test files as a JUnit report in XML, which CI systems read: a test suite for each file, a test case for each run block. */
export function junitReport(suite: TestSuiteResult): string {
  const errors = suite.diagnostics.filter(({ severity }) => severity === "error");
  const counts = countRuns(suite);
  const totals = attributesOf(
    { ...counts, errored: counts.errored + (errors.length > 0 ? 1 : 0) },
    suite.files.flatMap(({ runs }) => runs),
  );
  const loading = errors.length === 0 ? [] : loadingLines(errors, suite.sources);
  const files = suite.files.flatMap((file) => fileLines(file, suite.sources));
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${totals}>`, ...loading, ...files, "</testsuites>", ""].join("\n");
}

/** The test suite that stands for the configuration and the test files if they have errors. */
function loadingLines(errors: readonly AddressedDiagnostic[], sources: TestSuiteResult["sources"]): readonly string[] {
  return [
    `  <testsuite name="configuration" tests="1" failures="0" errors="1" skipped="0" time="0.000">`,
    `    <testcase name="load" classname="configuration" time="0.000">`,
    `      ${problemElement("error", errors, sources)}`,
    "    </testcase>",
    "  </testsuite>",
  ];
}

function attributesOf({ passed, failed, errored, skipped }: ReturnType<typeof countRuns>, runs: readonly TestRunResult[]): string {
  const seconds = runs.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
  const tests = passed + failed + errored + skipped;
  return `tests="${tests}" failures="${failed}" errors="${errored}" skipped="${skipped}" time="${seconds.toFixed(3)}"`;
}

function fileLines(file: TestFileResult, sources: TestSuiteResult["sources"]): readonly string[] {
  const totals = attributesOf(countRuns({ files: [file] }), file.runs);
  const cleanupErrors = file.cleanups.flatMap(({ diagnostics }) => diagnostics.filter(({ severity }) => severity === "error"));
  const cases = file.runs.flatMap((run) => runLines(file.path, run, sources));
  const output = cleanupErrors.map((error) => renderDiagnostic(error, sources)).join("");
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
  if (status === "pass") return [`${start}/>`];
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return [`${start}>`, `      ${problemElement(status === "error" ? "error" : "failure", errors, sources)}`, "    </testcase>"];
}

function problemElement(element: "error" | "failure", errors: readonly AddressedDiagnostic[], sources: TestSuiteResult["sources"]): string {
  const text = errors.map((error) => renderDiagnostic(error, sources)).join("");
  return `<${element} message="${escaped(errors[0]?.summary ?? "")}">${escaped(text)}</${element}>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a text for XML. Removes colours, and characters that XML cannot represent. */
function escaped(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replaceAll(/[&<>"]/g, (character) => entities[character]!);
}
