// SPDX-License-Identifier: Apache-2.0
// tenon-check-provider over all providers of tests/peers. Each finding was checked by hand; another one would be a false alarm, or a change of the peer.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { checkProvider, type ProviderCheckOptions } from "@tenon/testing/conformance";
import { afterAll, test, vi } from "vitest";

vi.setConfig({ testTimeout: 600_000 });

const folder = mkdtempSync(join(tmpdir(), "check-provider-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The laws that the resources of a provider violate, by resource type; those of the provider itself by an empty name. */
async function violations(path: string, options: ProviderCheckOptions = {}): Promise<Readonly<Record<string, readonly string[]>>> {
  const { findings, resources } = await checkProvider(path, { cases: 30, ...options });
  const found = [["", findings] as const, ...resources.map((resource) => [resource.typeName, resource.findings] as const)];
  const entries = found.filter(([name, some]) => name !== "" || some.length > 0).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, some]) => [name, some.map(({ law, weight }) => `${weight} ${law}`)]));
}

const config = { directory: join(folder, "objects") };

describePeer(["provider-time"], "hashicorp/time", ({ "provider-time": { path } }) => {
  test("violates no law", async ({ expect }) => {
    expect(await violations(path)).toEqual({ time_offset: [], time_rotating: [], time_sleep: [], time_static: [] });
  });
});

describePeer(["framework-provider"], "a provider on terraform-plugin-framework", ({ "framework-provider": { path } }) => {
  test("violates no law in validation and plans", async ({ expect }) => {
    expect(await violations(path, { config })).toEqual({ framework_record: [], framework_trouble: [] });
  });
});

describePeer(["sdkv2-provider"], "a provider on terraform-plugin-sdk/v2", ({ "sdkv2-provider": { path } }) => {
  test("validates timeouts in the plan alone", async ({ expect }) => {
    expect(await violations(path, { config })).toEqual({
      sdkv2_note: [],
      // The SDK parses the durations of a `timeouts` block when it plans.
      sdkv2_server: ["warning can-plan"],
    });
  });
});

describePeer(["bare-provider"], "a provider on terraform-plugin-go alone", ({ "bare-provider": { path } }) => {
  test("validates nothing, and returns no state for a flat map", async ({ expect }) => {
    expect(await violations(path, { cases: 10 })).toEqual({
      bench_note: ["warning required-enforced", "warning computed-refused", "warning upgrade-lenient"],
      bench_wide60: ["warning computed-refused", "warning upgrade-lenient"],
    });
  });
});

describePeer(["panicking-provider"], "a provider that panics in optional calls", ({ "panicking-provider": { path } }) => {
  test("is reported for each call that the check makes", async ({ expect }) => {
    const { findings, resources } = await checkProvider(path);
    expect(resources).toEqual([]);
    expect(findings.map(({ law, text }) => `${law} ${text.split(":")[0]!}`)).toEqual([
      "answers-calls GetMetadata",
      "answers-calls GetResourceIdentitySchemas",
    ]);
  });
});

describePeer(["pyvider-provider"], "a provider on Pyvider", ({ "pyvider-provider": { path } }) => {
  test("accepts a computed attribute in a configuration, and plans an unknown value as null", async ({ expect }) => {
    // Pyvider decodes unknown values as None, so that the plan does not count the change, and the final plan does. It returns stored states as they are.
    expect(await violations(path, { config, cases: 10, resources: ["pyvider_note"] })).toEqual({
      pyvider_note: ["warning computed-refused", "error final-plan-fits", "warning upgrade-lenient"],
    });
  });
});

describePeer(["sdkv2-provider"], "the command tenon-check-provider", ({ "sdkv2-provider": { path } }) => {
  const command = join(import.meta.dirname, "../../../packages/testing/src/conformance/main.ts");
  const run = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], { encoding: "utf8" });
    return { status, stdout, stderr };
  };
  const file = join(folder, "config.json");
  writeFileSync(file, JSON.stringify(config));

  test("prints a report, as text and as JSON", ({ expect }) => {
    const args = ["--config", file, "--resource", "sdkv2_n*", "--cases", "5", path];
    const text = run(...args);
    expect([text.status, text.stderr]).toEqual([0, "checking sdkv2_note\n"]);
    expect(text.stdout).toMatch(/^sdkv2_note: 5 cases, valid \d, planned \d\n\n1 resource type: 0 errors, 0 warnings\n$/);
    const json = JSON.parse(run("--json", ...args).stdout) as object;
    expect(json).toMatchObject({ findings: [], resources: [{ typeName: "sdkv2_note", cases: 5, findings: [] }] });
  });

  test("fails with one sentence where it cannot run", ({ expect }) => {
    expect(run("./no-provider")).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(/^tenon-check-provider: .*no-provider/) as string,
    });
    for (const cases of ["x", "0"]) {
      expect(run("--cases", cases, path)).toMatchObject({
        status: 2,
        stderr: `tenon-check-provider: --cases must be a whole number of at least 1, and is "${cases}"\n`,
      });
    }
    expect(run("--config", file, "--resource", "sdkv2_other", path)).toMatchObject({
      status: 2,
      stderr: "tenon-check-provider: the provider has no resource type sdkv2_other; it has sdkv2_note, sdkv2_server\n",
    });
  });
});
