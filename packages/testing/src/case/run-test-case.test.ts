// SPDX-License-Identifier: Apache-2.0
import { attr, defineProvider } from "@tenon/provider-sdk";
import type { ProviderFactory } from "@tenon/schema";
import { afterEach, describe, test, vi } from "vitest";
import { expectEmptyPlan } from "../checks/empty-plan.ts";
import { expectKnownValue } from "../checks/resource-value.ts";
import { expectIdentityValue } from "../checks/identity.ts";
import { inProcessRunner } from "../runner/in-process/in-process-runner.ts";
import { configStep, importStep } from "./declare-step.ts";
import { runTestCase } from "./run-test-case.ts";
import type { CaseResult, TestCase } from "./test-case.ts";
import { skipBelow } from "./version-check.ts";

afterEach(() => vi.unstubAllEnvs());

const objects = new Map<string, string>();
const mem = defineProvider({ name: "mem", version: "1.0.0" });
const node = mem.resource("node", {
  schema: { name: attr.string({ required: true }), value: attr.string({ optional: true }) },
  create: ({ planned }) => (objects.set(planned.name, planned.value ?? ""), planned),
  read: ({ state }) => (objects.has(state.name) ? state : undefined),
  update: ({ planned }) => planned,
  delete: ({ state }) => {
    if (state.value === "stuck") throw new Error("the object is stuck");
    objects.delete(state.name);
  },
});
const text = 'resource "mem_node" "a" {\n  name = "a"\n}\n';
const passing: TestCase = { providers: { mem: mem.with([node]) }, steps: [configStep(text)] };

describe("runTestCase", () => {
  test("skips an acceptance case without TF_ACC=1, and runs it with it", async ({ expect }) => {
    const skip = vi.fn<(reason?: string) => void>();
    vi.stubEnv("TF_ACC", undefined);
    await runTestCase({ skip }, { ...passing, acceptance: true });
    expect(skip.mock.calls).toEqual([["acceptance cases run only with TF_ACC=1"]]);
    vi.stubEnv("TF_ACC", "1");
    await runTestCase({ skip }, { ...passing, acceptance: true });
    expect(skip).toHaveBeenCalledTimes(1);
  });

  test("skips a case whose versions exclude the core, or whose feature the runner lacks", async ({ expect }) => {
    expect(await runTestCase({ ...passing, versionChecks: [skipBelow("99.0.0")] })).toMatchObject({
      reason: expect.stringContaining("at least OpenTofu 99.0.0"),
    });
    const runner = { ...(await inProcessRunner()), lacks: () => "no identities here" };
    const steps = [configStep(text, { stateChecks: [expectIdentityValue("mem_node.a", "name", "a")] })];
    expect(await runTestCase({ ...passing, runner, steps })).toEqual({ status: "skipped", reason: "no identities here" });
  });

  test("opens an instance of a provider for each operation, and none for states and failures", async ({ expect }) => {
    const events: string[] = [];
    const provider = mem.with([node]);
    const counted: ProviderFactory = async (options) => {
      const instance = await provider.open(options);
      const number = events.filter((event) => event.startsWith("open")).length + 1;
      events.push(`open ${number}`);
      return { ...instance, close: async () => (events.push(`close ${number}`), instance.close()) };
    };
    const run = (value: string): Promise<CaseResult> =>
      runTestCase({
        providers: { mem: counted },
        steps: [configStep(text, { stateChecks: [expectKnownValue("mem_node.a", "name", value)] })],
      });
    expect(await run("a")).toEqual({ status: "passed" });
    const each = (count: number): string[] =>
      Array.from({ length: count }, (_, index) => [`open ${index + 1}`, `close ${index + 1}`]).flat();
    // The plan with its apply, the two plans after it, and the destruction. No instance lives longer than its operation.
    expect(events.splice(0)).toEqual(each(4));
    await expect(run("b")).rejects.toMatchObject({ code: "CHECK_FAILED" });
    expect(events).toEqual(each(2));
  });

  test("destroys the objects after a failure, and adds to the failure what it cannot destroy", async ({ expect }) => {
    const stateChecks = [expectKnownValue("mem_node.a", "name", "b")];
    const failing = runTestCase({ ...passing, steps: [configStep(text, { stateChecks })] });
    await expect(failing).rejects.toMatchObject({ code: "CHECK_FAILED" });
    expect([...objects.keys()]).toEqual([]);

    const stuck = text.replace('"a"\n}', '"a"\n  value = "stuck"\n}');
    await expect(runTestCase({ ...passing, steps: [configStep(stuck, { stateChecks })] })).rejects.toThrow(
      /mem_node\.a\.name differs[^]*could not be destroyed, and may still exist:[^]*the object is stuck/,
    );
    objects.clear();
  });

  test("does not notice in plans without refresh that an object was removed outside", async ({ expect }) => {
    const removed = configStep(text, { preConfig: () => objects.clear(), planChecks: [expectEmptyPlan()] });
    const steps = [configStep(text), removed];
    expect(await runTestCase({ ...passing, refresh: false, steps })).toEqual({ status: "passed" });
    await expect(runTestCase({ ...passing, steps })).rejects.toThrow(/expectEmptyPlan/);
  });

  test("fails with a stack of one line: the check, or the step", async ({ expect }) => {
    const check = expectKnownValue("mem_node.a", "name", "b");
    const error = await runTestCase({ ...passing, steps: [configStep(text, { stateChecks: [check] })] }).catch((e: Error) => e);
    expect((error as Error).stack!.match(/^\s+at .*$/gm)).toEqual([expect.stringContaining("run-test-case.test.ts")]);
  });

  test("gives the failure of a step to errorCheck", async ({ expect }) => {
    const steps = [configStep('resource "mem_node" "a" {}\n')];
    const replaced = new Error("replaced");
    await expect(runTestCase({ ...passing, steps, errorCheck: () => replaced })).rejects.toBe(replaced);
    expect(await runTestCase({ ...passing, steps, errorCheck: () => undefined })).toEqual({ status: "passed" });
  });

  test("fails for a case without steps, and for an import whose ID is not known", async ({ expect }) => {
    await expect(runTestCase({ ...passing, steps: [] })).rejects.toMatchObject({ code: "CASE_INVALID" });
    const steps = [configStep(text), importStep("mem_node.a")];
    await expect(runTestCase({ ...passing, steps })).rejects.toThrow("the import of mem_node.a needs an id");
  });

  test("skips a step, and calls the hooks in their order", async ({ expect }) => {
    const calls: string[] = [];
    const called = (name: string) => (): void => void calls.push(name);
    await runTestCase({
      ...passing,
      preCheck: called("preCheck"),
      checkDestroy: called("checkDestroy"),
      steps: [
        configStep(text, {
          preConfig: called("preConfig"),
          postApply: called("postApply"),
          stateChecks: [called("state")],
          planChecks: [called("plan")],
        }),
        configStep("invalid", { skip: () => true }),
      ],
    });
    expect(calls).toEqual(["preCheck", "preConfig", "plan", "state", "postApply", "checkDestroy"]);
  });
});
