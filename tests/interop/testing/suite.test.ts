// SPDX-License-Identifier: Apache-2.0
// One suite of cases on three runners: in process, tofu and terraform. The verdicts must be the same, and the failures must have the same texts
// but for the names of the runner and of the core.
import { describePeer } from "@tenon/peers/vitest";
import { describe, type ExpectStatic, test, vi } from "vitest";
import type { SuiteCase } from "./suite-case.ts";
import { goCases, ownCases, runSuiteCase } from "./suite-cases.ts";

// Each case starts some ten processes under a command line, which takes longer on a busy machine.
vi.setConfig({ testTimeout: 180_000 });
// A file that does not exist would add a warning to each plan. The command lines attach to all providers, and need no settings.
vi.stubEnv("TF_CLI_CONFIG_FILE", undefined);

async function checkSuiteCase(suiteCase: SuiteCase, runner: string, skips: RegExp | undefined, expect: ExpectStatic): Promise<void> {
  const outcome = await runSuiteCase(suiteCase, runner);
  if (skips !== undefined) {
    expect(outcome).toMatchObject({ status: "skipped", reason: expect.stringMatching(skips) });
  } else if (suiteCase.fails === undefined) {
    expect(outcome).toEqual({ status: "passed" });
  } else {
    expect(outcome).toBeInstanceOf(Error);
    expectInOrder(outcome as Error, suiteCase.fails, expect);
    const isTerraform = /\(terraform \d/.test((outcome as Error).message);
    if (runner === "in-process" || (isTerraform && suiteCase.hasCoreError === true)) return;
    const inProcess = await runSuiteCase(suiteCase, "in-process");
    expect(withoutNames(outcome as Error)).toBe(withoutNames(inProcess as Error));
  }
}

/** The text of a failure without the names of the runner, the core and folders, and without line breaks, whose places depend on names. */
function withoutNames({ message }: Error): string {
  return (
    message
      .replaceAll(/\((config|refresh|import|query), [^)]+\)/g, "($1, <runner>)")
      .replaceAll(/end of the case \([^)]+\)/g, "end of the case (<runner>)")
      .replaceAll(/tenon-suite-\w+/g, "<folder>")
      .replaceAll(/127\.0\.0\.1:\d+/g, "<address>")
      .replaceAll("Terraform", "OpenTofu")
      .replaceAll(/not OpenTofu [\d.]+/g, "not <version>")
      // A word of the legend that Terraform does not have.
      .replaceAll(" (current -> planned)", "")
      .replaceAll(/\s+/g, " ")
  );
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
  expect(stack).toMatch(/(notebook|dns|go|suite)-cases\.ts/);
}

describe("the suite in process", () => {
  test.concurrent.for(ownCases)("$name", async (suiteCase, { expect }) => checkSuiteCase(suiteCase, "in-process", undefined, expect));
});

describePeer(["framework-provider", "sdkv2-provider"], "the suite over Go providers in process", (peers) => {
  const cases = goCases({ framework: peers["framework-provider"].path, sdkv2: peers["sdkv2-provider"].path });
  test.concurrent.for(cases)("$name", async (suiteCase, { expect }) => checkSuiteCase(suiteCase, "in-process", undefined, expect));
});

for (const cli of ["tofu", "terraform"] as const) {
  describePeer([cli], `the suite with ${cli}`, (peers) => {
    test.concurrent.for(ownCases)("$name", async (suiteCase, { expect }) =>
      checkSuiteCase(suiteCase, peers[cli].path, suiteCase.skips?.[cli], expect),
    );
  });

  describePeer([cli, "framework-provider", "sdkv2-provider"], `the suite over Go providers with ${cli}`, (peers) => {
    const cases = goCases({ framework: peers["framework-provider"].path, sdkv2: peers["sdkv2-provider"].path });
    test.concurrent.for(cases)("$name", async (suiteCase, { expect }) =>
      checkSuiteCase(suiteCase, peers[cli].path, suiteCase.skips?.[cli], expect),
    );
  });
}
