// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CaseResult, type RunnerChoice, runTestCase } from "@tenon/testing";
import { dnsCases } from "./dns-cases.ts";
import { frameworkCases, sdkv2Cases } from "./go-cases.ts";
import { notebookCases } from "./notebook-cases.ts";
import type { SuiteCase } from "./suite-case.ts";

/** The cases over providers of this repository. */
export const ownCases: readonly SuiteCase[] = [...notebookCases, ...dnsCases];

/** The cases over providers in Go. @param paths - paths of the programs of `tests/peers` */
export function goCases(paths: { readonly framework: string; readonly sdkv2: string }): readonly SuiteCase[] {
  return [...frameworkCases(paths.framework), ...sdkv2Cases(paths.sdkv2)];
}

/** Runs a case in a temporary folder of its own. Returns its result, or the error with which it failed. */
export async function runSuiteCase({ create }: SuiteCase, runner: RunnerChoice): Promise<CaseResult | Error> {
  await using cleanup = new AsyncDisposableStack();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-suite-")));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  try {
    return await runTestCase({ ...(await create(folder, cleanup)), runner });
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}
