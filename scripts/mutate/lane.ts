// SPDX-License-Identifier: Apache-2.0
// A process that applies mutations to its own copy of the packages, one at a time, and runs the test of each. Its arguments are the
// folder of the copy, and the time limit of a test in milliseconds. One test runner serves all mutations, because starting a runner takes longer than a test.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createVitest, type TestModule, type Vitest } from "vitest/node";
import type { Mutation, Verdict } from "./mutation.ts";

const [folder = "", testTimeoutMs = ""] = process.argv.slice(2);

/** Request to a lane: judge a mutation, or run its test without the mutation. */
export type LaneRequest = { readonly id: number } & ({ readonly judge: Mutation } | { readonly tryOut: Mutation });

/** Response of a lane; the response with id 0 says that the lane is ready. */
export interface LaneAnswer {
  readonly id: number;
  readonly verdict: Verdict;
}

async function openRunner(): Promise<Vitest> {
  const runner = await createVitest("test", {
    root: folder,
    config: false,
    watch: false,
    include: ["packages/*/**/*.test.ts", "tests/**/*.test.ts"],
    reporters: [{}],
    testTimeout: Number(testTimeoutMs),
    // Hooks start servers, which takes long on a busy machine.
    hookTimeout: 180_000,
    // Failures are expected, and not printed.
    onConsoleLog: () => false,
  });
  await runner.standalone();
  return runner;
}

async function runTest(runner: Vitest, { test, name }: Mutation): Promise<readonly TestModule[]> {
  // The name is a prefix of the name of a test or of a group.
  runner.setGlobalTestNamePattern(new RegExp(`(^|.* )${name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}`));
  const file = join(folder, test);
  const { testModules } = await runner.runTestSpecifications([runner.getRootProject().createSpecification(file)]);
  // The state contains the modules of earlier runs, too.
  return testModules.filter(({ moduleId }) => moduleId === file);
}

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly messages: readonly string[];
  readonly why?: string;
}

/** Counts the selected tests by result; `why` is the reason why they could not run. */
function outcome(modules: readonly TestModule[]): Outcome {
  let [passed, failed] = [0, 0];
  const messages: string[] = [];
  for (const module of modules) {
    const [error] = module.errors();
    if (error !== undefined) return { passed, failed, messages, why: `the test file does not load: ${error.message.split("\n")[0]}` };
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      if (state === "passed") passed++;
      if (state === "failed") failed++;
      messages.push(...(errors ?? []).map(({ message }) => message));
    }
  }
  return passed + failed === 0 ? { passed, failed, messages, why: whyNoTestRan(modules) } : { passed, failed, messages };
}

/** Why no test has run: a hook that prepares the tests has failed, or no test is selected. */
function whyNoTestRan(modules: readonly TestModule[]): string {
  const suites = modules.flatMap((module) => [...module.children.allSuites()]);
  const [failure] = suites.flatMap((suite) => suite.errors());
  return failure === undefined ? "no test has that name" : `a hook fails: ${failure.message.split("\n")[0]}`;
}

async function judge(runner: Vitest, mutation: Mutation): Promise<Verdict> {
  const file = join(folder, mutation.file);
  const source = readFileSync(file, "utf8");
  const parts = source.split(mutation.search);
  if (parts.length !== 2) return { kind: "unusable", why: `the text to replace occurs ${parts.length - 1} times` };
  try {
    writeFileSync(file, parts.join(mutation.replace));
    runner.invalidateFile(file);
    const { failed, messages, why } = outcome(await runTest(runner, mutation));
    if (why !== undefined) return { kind: "unusable", why };
    return failed > 0 ? { kind: "killed", messages } : { kind: "survived" };
  } finally {
    writeFileSync(file, source);
    runner.invalidateFile(file);
  }
}

async function tryOut(runner: Vitest, mutation: Mutation): Promise<Verdict> {
  const { failed, why } = outcome(await runTest(runner, mutation));
  if (why !== undefined) return { kind: "unusable", why };
  return failed > 0 ? { kind: "unusable", why: "its test fails without the mutation" } : { kind: "survived" };
}

if (process.send !== undefined) {
  const runner = await openRunner();
  const answer = (id: number, verdict: Verdict): void => void process.send!({ id, verdict } satisfies LaneAnswer);
  process.on("message", (request: LaneRequest) => {
    const judged = "judge" in request ? judge(runner, request.judge) : tryOut(runner, request.tryOut);
    judged.then(
      (verdict) => answer(request.id, verdict),
      (error: unknown) => answer(request.id, { kind: "unusable", why: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.on("disconnect", () => process.exit(0));
  answer(0, { kind: "survived" });
}
