// SPDX-License-Identifier: Apache-2.0
// The command tenon-test beside `tofu test`: text, JSON log, exit code, and the state of objects that cannot be destroyed.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describePeer } from "@tenon/peers/vitest";
import { runTestFiles, type TestEvent } from "@tenon/testing/tftest";
import { objectFiles } from "@tenon/engine/configuration";
import { afterAll, beforeAll, describe, test } from "vitest";
import { ProviderServer } from "@tenon/peers/provider-server";
import { SuiteFolder, workshopAddress } from "./suite-sides.ts";
import { logVariable, provider } from "./workshop.ts";

const command = fileURLToPath(import.meta.resolve("@tenon/testing/tftest").replace("tftest/index.ts", "tftest-main.ts"));
const here = import.meta.dirname;

const main = `
terraform {
  required_providers {
    workshop = { source = "tenon/workshop" }
  }
}
variable "fail" {
  type    = string
  default = null
}
resource "workshop_tool" "a" {
  name = "a"
  fail = var.fail
}
check "never" {
  assert {
    condition     = workshop_tool.a.size != null
    error_message = "No size."
  }
}
`;

const files: Readonly<Record<string, string>> = {
  "main.tf": main,
  "a.tftest.hcl": `
run "passes" {
  expect_failures = [check.never]
}
run "fails" {
  assert {
    condition     = workshop_tool.a.label == "b"
    error_message = "Wrong label."
  }
}
run "skipped" {
}
`,
  "tests/b.tftest.hcl": `
run "remains" {
  variables {
    fail = "delete"
  }
  expect_failures = [check.never]
}
`,
};

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describePeer(["tofu"], "tenon-test", (peers) => {
  const folder = new SuiteFolder();
  let server: ProviderServer;

  beforeAll(async () => {
    const env = { TENON_PROVIDER_ADDRESS: workshopAddress, [logVariable]: folder.changesFile };
    server = await ProviderServer.start(process.execPath, [join(here, "workshop-main.ts"), "--debug"], { env });
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder.path, name)), { recursive: true });
      writeFileSync(join(folder.path, name), content);
    }
  });
  afterAll(() => {
    server[Symbol.dispose]();
    folder[Symbol.dispose]();
  });

  const run = (program: string, args: readonly string[]): Run => {
    const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("TF_"));
    const env = {
      ...Object.fromEntries(kept),
      TF_REATTACH_PROVIDERS: server.reattach,
      TF_CLI_CONFIG_FILE: join(folder.path, "cli.tfrc"),
      CHECKPOINT_DISABLE: "1",
      HOME: folder.path,
      [logVariable]: folder.changesFile,
    };
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder.path, env, encoding: "utf8" });
    return { code: status, stdout, stderr };
  };
  const tofu = (...args: readonly string[]): Run => run(peers.tofu.path, ["test", ...args]);
  const ours = (...args: readonly string[]): Run => run(process.execPath, [command, ...args]);
  const stateOf = (): unknown => {
    const {
      lineage: _,
      serial: _serial,
      ...state
    } = JSON.parse(readFileSync(join(folder.path, "errored_test.tfstate"), "utf8")) as {
      readonly lineage: string;
      readonly serial: number;
    };
    return state;
  };

  test("prints the text of tofu test, and writes the objects that remain", { timeout: 120_000 }, ({ expect }) => {
    const theirs = tofu("-no-color");
    const state = stateOf();
    expect(ours("-no-color")).toEqual(theirs);
    expect(theirs).toMatchObject({ code: 1, stderr: expect.stringContaining("Writing state to file") });
    expect(stateOf()).toEqual(state);
  });

  test("prints the log of tofu test -json", { timeout: 120_000 }, ({ expect }) => {
    const messages = ({ code, stdout }: Run): unknown => ({
      code,
      log: stdout
        .trimEnd()
        .split("\n")
        .map((line) => ({ ...(JSON.parse(line) as object), "@timestamp": "" })),
    });
    expect(messages(ours("-json", "-filter=a.tftest.hcl"))).toEqual(messages(tofu("-json", "-filter=a.tftest.hcl")));
  });

  test("runs a provider under development, and writes a log and a JUnit report", { timeout: 120_000 }, ({ expect }) => {
    const module = `-provider=tenon/workshop=${join(here, "workshop.ts")}`;
    const args = ["--filter", "a.tftest.hcl", "-junit-xml=report.xml", "-json-into", "log.jsonl", "-var", "fail=x"];
    const { code, stdout } = ours(module, ...args);
    expect({ code, last: stdout.trimEnd().split("\n").at(-1) }).toEqual({ code: 1, last: "Failure! 1 passed, 1 failed, 1 skipped." });
    const report = readFileSync(join(folder.path, "report.xml"), "utf8");
    expect(report).toContain('<testsuite name="a.tftest.hcl" tests="3" failures="0" errors="1" skipped="1"');
    expect(report).toContain('<testcase name="passes" classname="a.tftest.hcl"');
    expect(report).toContain('<error message="Check block assertion failed">');
    const log = readFileSync(join(folder.path, "log.jsonl"), "utf8");
    expect(log).toContain('"type":"test_summary"');
  });

  test("reports invalid options", { timeout: 120_000 }, ({ expect }) => {
    expect(ours("-var", "x")).toEqual({ code: 1, stdout: "", stderr: 'tenon-test: -var "x" must have the form NAME=VALUE\n' });
  });
});

describe("runTestFiles", () => {
  test("skips the runs after a stop, and destroys their objects", async ({ expect }) => {
    using folder = new SuiteFolder();
    process.env[logVariable] = folder.changesFile;
    const stop = new AbortController();
    const events: TestEvent["type"][] = [];
    const source = 'run "one" {\n  expect_failures = [check.never]\n}\nrun "two" {\n}\n';
    const { status, files: results } = await runTestFiles({
      configuration: objectFiles({ "main.tf": main, "a.tftest.hcl": source, "b.tftest.hcl": source }),
      providers: { [workshopAddress]: provider },
      stopSignal: stop.signal,
      onEvent: ({ type }) => {
        events.push(type);
        if (type === "fileEnded") stop.abort();
      },
    });
    expect(status).toBe("error");
    expect(results.map(({ runs }) => runs.map((run) => run.status))).toEqual([
      ["pass", "error"],
      ["skip", "skip"],
    ]);
    expect(events).toEqual(["loaded", "suiteStarted", "fileEnded", "stopping", "cleanedUp", "fileEnded", "suiteEnded"]);
    expect(folder.takeChanges()).toEqual(["create a", "delete a"]);
  });

  test("emits no event when it is stopped after its end", async ({ expect }) => {
    const configuration = objectFiles({ "main.tf": 'output "a" {\n  value = 1\n}\n', "a.tftest.hcl": 'run "one" {\n}\n' });
    const stop = new AbortController();
    const events: TestEvent["type"][] = [];
    await runTestFiles({ configuration, stopSignal: stop.signal, onEvent: ({ type }) => events.push(type) });
    stop.abort();
    expect(events).toEqual(["loaded", "suiteStarted", "fileEnded", "cleanedUp", "suiteEnded"]);
  });

  test("rejects after an abort", async ({ expect }) => {
    const configuration = objectFiles({ "main.tf": 'output "a" {\n  value = 1\n}\n', "a.tftest.hcl": 'run "one" {\n}\n' });
    const reason = new Error("enough");
    await expect(runTestFiles({ configuration, signal: AbortSignal.abort(reason) })).rejects.toThrow(reason);
  });
});
