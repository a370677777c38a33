// SPDX-License-Identifier: Apache-2.0
// One suite of cases on three runners: in process, tofu and terraform. The verdicts must be the same, and the failures must have the same texts.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { runTestCase } from "@tenon/testing";
import { describe, type ExpectStatic, test, vi } from "vitest";
import { dnsCases } from "./dns-cases.ts";
import { frameworkCases, sdkv2Cases } from "./go-cases.ts";
import { notebookCases } from "./notebook-cases.ts";
import type { SuiteCase } from "./suite-case.ts";

// Each case starts some ten processes under a command line, which takes longer on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const cases: readonly SuiteCase[] = [...notebookCases, ...dnsCases];

async function runSuiteCase({ create, fails }: SuiteCase, runner: string, skips: RegExp | undefined, expect: ExpectStatic): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-suite-")));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const outcome = await runTestCase({ ...(await create(folder, cleanup)), runner }).catch((error: unknown) => error);
  if (skips !== undefined) {
    expect(outcome).toMatchObject({ status: "skipped", reason: expect.stringMatching(skips) });
  } else if (fails === undefined) {
    expect(outcome).toEqual({ status: "passed" });
  } else {
    expect(outcome).toBeInstanceOf(Error);
    expectInOrder(outcome as Error, fails, expect);
  }
}

/** Checks that the text of a failure has parts in an order, and that no secret is in it. */
function expectInOrder({ message, stack }: Error, parts: readonly (string | RegExp)[], expect: ExpectStatic): void {
  let rest = message;
  for (const part of parts) {
    const index = typeof part === "string" ? rest.indexOf(part) : rest.search(part);
    expect(index, `${String(part)} is not in its place in:\n${message}`).toBeGreaterThanOrEqual(0);
    rest = rest.slice(index + (typeof part === "string" ? part.length : 1));
  }
  expect(message).not.toContain("open sesame");
  // The stack is the author's line.
  expect(stack).toMatch(/(notebook|dns|go)-cases\.ts|suite\.test\.ts/);
}

describe("the suite in process", () => {
  test.concurrent.for(cases)("$name", async (suiteCase, { expect }) => runSuiteCase(suiteCase, "in-process", undefined, expect));
});

describePeer(["framework-provider", "sdkv2-provider"], "the suite over Go providers in process", (peers) => {
  const goCases = [...frameworkCases(peers["framework-provider"].path), ...sdkv2Cases(peers["sdkv2-provider"].path)];
  test.concurrent.for(goCases)("$name", async (suiteCase, { expect }) => runSuiteCase(suiteCase, "in-process", undefined, expect));
});

for (const cli of ["tofu", "terraform"] as const) {
  describePeer([cli], `the suite with ${cli}`, (peers) => {
    test.concurrent.for(cases)("$name", async (suiteCase, { expect }) =>
      runSuiteCase(suiteCase, peers[cli].path, suiteCase.skips?.[cli], expect),
    );
  });

  describePeer([cli, "framework-provider", "sdkv2-provider"], `the suite over Go providers with ${cli}`, (peers) => {
    const goCases = [...frameworkCases(peers["framework-provider"].path), ...sdkv2Cases(peers["sdkv2-provider"].path)];
    test.concurrent.for(goCases)("$name", async (suiteCase, { expect }) =>
      runSuiteCase(suiteCase, peers[cli].path, suiteCase.skips?.[cli], expect),
    );
  });
}
