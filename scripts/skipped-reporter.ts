// SPDX-License-Identifier: Apache-2.0
import type { Reporter, TestCase, TestModule } from "vitest/node";

/** Lists every skipped test with its reason at the end of a run, so that a reader sees which tests an absent peer skipped. */
export default class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const byReason = new Map<string, string[]>();
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        const reason = reasonOf(test);
        const names = byReason.get(reason) ?? [];
        names.push(`${module.relativeModuleId} > ${test.fullName}`);
        byReason.set(reason, names);
      }
    }
    for (const [reason, names] of byReason) {
      process.stdout.write(`\nskipped, ${reason} (${names.length}):\n${names.map((name) => `  ${name}\n`).join("")}`);
    }
  }
}

function reasonOf(test: TestCase): string {
  const result = test.result();
  return result.state === "skipped" && result.note !== undefined ? result.note : "no reason given";
}
