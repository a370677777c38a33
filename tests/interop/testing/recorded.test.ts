// SPDX-License-Identifier: Apache-2.0
// Calls of Go providers, recorded once, replace the providers in cases.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { providerFactory } from "@tenon/plugin-host";
import { configStep, expectKnownValue, expectResourceAction, importStep, runTestCase, type TestCase } from "@tenon/testing";
import { notNull } from "@tenon/testing/known-value";
import { recordedProvider } from "@tenon/testing/recorded";
import { afterAll, describe, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "recorded-"));
afterAll(() => rmSync(folder, { recursive: true }));
/** A provider that a replay must not open. */
const absent = (): never => {
  throw new Error("the provider was opened");
};
const runner = "in-process";

describePeer(["provider-time", "framework-provider"], "recorded calls", (peers) => {
  const timeSteps = (date = "2026-01-02T03:04:05Z"): TestCase["steps"] => {
    const config = (trigger: string): string => `
      resource "time_static" "a" {
        triggers = { a = "${trigger}" }
      }
      resource "time_static" "b" {
        rfc3339 = "${date}"
      }`;
    return [
      configStep(config("x"), {
        stateChecks: [expectKnownValue("time_static.b", "year", 2026), expectKnownValue("time_static.a", "rfc3339", notNull())],
      }),
      configStep(config("y"), { planChecks: [expectResourceAction("time_static.a", "Replace")] }),
      importStep("time_static.b", { id: date }),
    ];
  };

  test("of a provider of protocol 5 replay in a case, without the provider", async ({ expect }) => {
    const path = join(folder, "time");
    const recorded = recordedProvider(path, providerFactory(peers["provider-time"].path), { mode: "record" });
    expect(await runTestCase({ runner, providers: { time: recorded }, steps: timeSteps() })).toEqual({ status: "passed" });
    expect(readdirSync(path).length).toBeGreaterThan(1);
    for (let round = 0; round < 2; round++)
      expect(await runTestCase({ runner, providers: { time: recordedProvider(path, absent) }, steps: timeSteps() })).toEqual({
        status: "passed",
      });
  });

  test("report a call that was not recorded, with the difference", async ({ expect }) => {
    const path = join(folder, "time-difference");
    const recorded = recordedProvider(path, providerFactory(peers["provider-time"].path), { mode: "record" });
    await runTestCase({ runner, providers: { time: recorded }, steps: timeSteps() });
    const changed = runTestCase({ runner, providers: { time: recordedProvider(path, absent) }, steps: timeSteps("2027-01-02T03:04:05Z") });
    const error = await changed.catch((reason: Error) => reason);
    expect(error).toMatchObject({ name: "TestingError", code: "CALL_NOT_RECORDED" });
    const text = (error as Error).message.replaceAll(/\s+/g, " ");
    expect(text).toContain("validateResourceConfig differs from the recording");
    expect(text).toMatch(/at config\.(rfc3339|triggers)/);
    expect(text).toContain("If the call is right, record the calls again with TENON_PROVIDER_CALLS=record");
  });

  test("of a provider of protocol 6 replay, and have no secret", async ({ expect }) => {
    const path = join(folder, "framework");
    const directory = mkdtempSync(join(folder, "records-"));
    const providers = (framework: ReturnType<typeof recordedProvider>): TestCase => ({
      runner,
      providers: { framework },
      steps: [
        configStep(
          `provider "framework" {\n  directory = "${directory}"\n  token = "hidden-token"\n}\nresource "framework_record" "a" {\n  name = "a"\n  secret = "hidden-secret"\n}\n`,
          {
            stateChecks: [expectKnownValue("framework_record.a", "name", "a")],
          },
        ),
      ],
    });
    const recorded = recordedProvider(path, providerFactory(peers["framework-provider"].path), { mode: "record" });
    expect(await runTestCase(providers(recorded))).toEqual({ status: "passed" });
    for (const file of readdirSync(path)) expect(readFileSync(join(path, file), "latin1")).not.toContain("hidden");
    expect(await runTestCase(providers(recordedProvider(path, absent)))).toEqual({ status: "passed" });
  });
});

describe("recorded calls", () => {
  test("need a recording", async ({ expect }) => {
    const open = recordedProvider(join(folder, "absent"), absent);
    await expect(open()).rejects.toMatchObject({
      code: "RECORDING_INVALID",
      message: expect.stringContaining("record the calls with TENON_PROVIDER_CALLS=record"),
    });
  });
});
