// SPDX-License-Identifier: Apache-2.0
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, test } from "vitest";
import { runSweepers } from "./run-sweepers.ts";
import { orderedSweepers, type Sweeper } from "./sweeper.ts";

const sweeper = (name: string, ...dependencies: readonly string[]): Sweeper => ({ name, dependencies, sweep: () => {} });
const namesOf = (sweepers: readonly Sweeper[]): readonly string[] => sweepers.map(({ name }) => name);

describe("sweepers", () => {
  const chain = [sweeper("zone", "record", "key"), sweeper("record"), sweeper("key", "token"), sweeper("token"), sweeper("user")];

  test("run after their dependencies, once", ({ expect }) => {
    expect(namesOf(orderedSweepers(chain))).toEqual(["record", "token", "key", "zone", "user"]);
  });

  test("are filtered by parts of names, with their dependencies", ({ expect }) => {
    expect(namesOf(orderedSweepers(chain, ["KEY"]))).toEqual(["token", "key"]);
    expect(namesOf(orderedSweepers(chain, ["zone", "use"]))).toEqual(["record", "token", "key", "zone", "user"]);
    expect(() => orderedSweepers(chain, ["zone", "other"])).toThrow(
      "no sweeper has a name with other; there are zone, record, key, token, user",
    );
  });

  test.for<[reason: string, sweepers: readonly Sweeper[], message: string]>([
    ["a cycle", [sweeper("x", "a"), sweeper("a", "b"), sweeper("b", "c"), sweeper("c", "a")], "have a cycle: a → b → c → a"],
    ["an unknown dependency", [sweeper("a", "b")], "the sweeper a depends on b, which does not exist"],
    ["a duplicate name", [sweeper("a"), sweeper("a")], "two sweepers have the name a"],
  ])("are refused for %s, before anything is deleted", async ([, sweepers, message], { expect }) => {
    await expect(runSweepers(sweepers, { regions: ["r"] })).rejects.toMatchObject({
      code: "SWEEPERS_INVALID",
      message: expect.stringContaining(message),
    });
  });

  test("stop at a failure, or run on with allowFailures", async ({ expect }) => {
    const calls: string[] = [];
    const failing = (name: string, isFailing: boolean): Sweeper => ({
      name,
      sweep: ({ region }) => {
        calls.push(`${region} ${name}`);
        if (isFailing) throw new Error("in use");
      },
    });
    const sweepers = [failing("a", false), failing("b", true), failing("c", false)];
    const results = await runSweepers(sweepers, { regions: ["r", "s"] });
    expect(results.map(({ status }) => status)).toEqual(["swept", "failed", "not run", "not run", "not run", "not run"]);
    expect(calls.splice(0)).toEqual(["r a", "r b"]);
    const all = await runSweepers(sweepers, { regions: ["r", "s"], allowFailures: true });
    expect(all.map(({ status }) => status)).toEqual(["swept", "failed", "swept", "swept", "failed", "swept"]);
    expect(calls).toEqual(["r a", "r b", "r c", "s a", "s b", "s c"]);
  });

  test("know the names of tests by their prefix, and need one and a region", async ({ expect }) => {
    const seen: boolean[] = [];
    const sweepers: readonly Sweeper[] = [
      { name: "a", sweep: ({ isTestName }) => void seen.push(isTestName("x-1"), isTestName("tenon-test-1")) },
    ];
    await runSweepers(sweepers, { regions: ["r"] });
    await runSweepers(sweepers, { regions: ["r"], prefix: "x-" });
    expect(seen).toEqual([false, true, true, false]);
    for (const options of [{ regions: [] }, { regions: ["r"], prefix: "" }])
      await expect(runSweepers(sweepers, options)).rejects.toMatchObject({ code: "OPTIONS_INVALID" });
  });
});

describe("tenon-sweep", () => {
  const folder = mkdtempSync(join(tmpdir(), "sweep-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "sweepers.ts");
  writeFileSync(
    file,
    `const sweep = (name: string) => ({ region, log }: { region: string; log: (line: string) => void }): void => {
      if (name === "bad") throw new Error("in use");
      log("deleted " + name + " in " + region);
    };
    export const sweepers = [{ name: "zone", dependencies: ["record"], sweep: sweep("zone") }, { name: "record", sweep: sweep("record") }, { name: "bad", sweep: sweep("bad") }];`,
  );
  writeFileSync(join(folder, "empty.ts"), "export const other = 1;");
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  const run = (...args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> =>
    new Promise((resolve) => {
      const child = execFile(process.execPath, [main, ...args], { cwd: folder }, (_, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });

  test("refuses to run without its flag, and loads nothing", async ({ expect }) => {
    expect(await run(file)).toEqual({
      code: 2,
      stdout: "",
      stderr: "tenon-sweep: deletes real objects, and so runs only with --sweep and the regions to sweep; see --help\n",
    });
    expect(await run("--sweep", "", "absent.ts")).toMatchObject({ code: 2, stderr: expect.stringContaining("runs only with --sweep") });
  });

  test("runs sweepers, and reports each", async ({ expect }) => {
    expect(await run("--sweep=eu,us", "--sweep-run", "zone", file)).toEqual({
      code: 0,
      stdout: "swept    eu  record\nswept    eu  zone\nswept    us  record\nswept    us  zone\n4 swept, 0 failed, 0 not run\n",
      stderr:
        "eu  record: deleted record in eu\neu  zone: deleted zone in eu\nus  record: deleted record in us\nus  zone: deleted zone in us\n",
    });
    expect(await run("--sweep", "eu", "--sweep-run=bad", "--sweep-allow-failures", file)).toMatchObject({
      code: 1,
      stdout: "failed   eu  bad: in use\n0 swept, 1 failed, 0 not run\n",
    });
  });

  test("explains what it cannot do", async ({ expect }) => {
    expect((await run("--help")).stdout).toContain("Usage: tenon-sweep --sweep REGION");
    expect(await run("--sweep", "eu")).toMatchObject({ code: 2, stderr: "tenon-sweep: names no file with sweepers; see --help\n" });
    expect(await run("--sweep", "eu", "empty.ts")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("empty.ts exports no sweepers"),
    });
    expect(await run("--sweep", "eu", "absent.ts")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("absent.ts cannot be loaded"),
    });
    expect(await run("--swep", "eu", file)).toMatchObject({ code: 2, stderr: expect.stringContaining("'--swep'") });
  });
});
