// SPDX-License-Identifier: Apache-2.0
// Tests, with real processes, a provider in debug mode that waits for hosts to attach.
import { existsSync, readFileSync } from "node:fs";
import { connect as dial } from "node:net";
import { join } from "node:path";
import { toJs } from "@tenon/cty";
import { parseReattachProviders } from "@tenon/protocol/reattach";
import { test, vi } from "vitest";
import { useBundledProvider } from "../../test/bundled-fixture.ts";
import { connect, type Connection, fixture, ProviderProcess } from "../../test/hosted-process.ts";

const bundled = useBundledProvider();

interface Attachable extends AsyncDisposable {
  readonly process: ProviderProcess;
  readonly path: string;
  attach(): Connection;
}

async function start(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Attachable> {
  const process = new ProviderProcess([...bundled.command, ...args], environment);
  await process.waitForOutput(/TF_REATTACH_PROVIDERS='.*'/);
  const [, text = ""] = /export TF_REATTACH_PROVIDERS='(.*)'/.exec(process.stdout) ?? [];
  const [[source, { address, pid, protocolVersion, test }] = fail()] = parseReattachProviders(text);
  if (source !== "example.com/tenon/fixture" || pid !== process.child.pid || !test || protocolVersion !== 6) fail();
  const connections: Connection[] = [];
  return {
    process,
    path: (address as { path: string }).path,
    attach() {
      const connection = connect(address, protocolVersion);
      connections.push(connection);
      return connection;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(connections.map(({ carrier }) => carrier.close()));
      await process[Symbol.asyncDispose]();
    },
  };
}

function fail(): never {
  throw new Error("TF_REATTACH_PROVIDERS has an unexpected value");
}

test.for([
  [["--debug"], {}],
  [[], { TENON_PROVIDER_DEBUG: "1" }],
] as const)("starts with %j and %j, and ends at Ctrl-C", async ([args, environment], { expect }) => {
  await using attachable = await start(args, environment);
  expect((await attachable.attach().provider.getProviderSchema({})).resources.size).toBe(1);
  attachable.process.child.kill("SIGINT");
  expect(await attachable.process.ended).toEqual({ code: 0, signal: null });
  expect(existsSync(attachable.path)).toBe(false);
});

test("prints its output to the terminal", async ({ expect }) => {
  await using attachable = await start(["--debug"]);
  await attachable.attach().create("print");
  await attachable.process.waitForOutput("written by the provider");
  expect(attachable.process.stdout).toContain("printed by the provider");
});

test("keeps the configurations of its hosts separate", async ({ expect }) => {
  await using attachable = await start(["--debug"]);
  const [one, other] = [attachable.attach(), attachable.attach()];
  await Promise.all([one.configure("one"), other.configure("other")]);
  const results = await Promise.all([one.create("task"), other.create("task")]);
  expect(results.map(({ newState }) => (toJs(newState) as { result: string }).result)).toEqual(["task by one", "task by other"]);
});

test("runs cleanup for a host that disconnects, and not for the others", async ({ expect }) => {
  await using attachable = await start(["--debug"]);
  const traces = ["left", "stayed"].map((name) => join(bundled.folder, name));
  const [left, stayed] = [attachable.attach(), attachable.attach()];
  await left.configure("left", traces[0]);
  await stayed.configure("stayed", traces[1]);
  await left.carrier.close();
  await vi.waitFor(() => expect(existsSync(traces[0] ?? "")).toBe(true), { timeout: 30_000 });
  expect((await stayed.create("task")).diagnostics).toEqual([]);
  expect(readFileSync(traces[1] ?? "", "utf8")).toBe("task\n");
  attachable.process.child.kill("SIGINT");
  await attachable.process.ended;
  expect(readFileSync(traces[1] ?? "", "utf8")).toBe("task\ncleaned up\n");
});

test("keeps running after a host that only probes the connection", async ({ expect }) => {
  await using attachable = await start(["--debug"]);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await new Promise<void>((resolve, reject) => {
      const probe = dial(attachable.path, () => probe.destroy());
      probe.on("error", reject).on("close", () => resolve());
    });
  }
  expect((await attachable.attach().provider.getProviderSchema({})).resources.size).toBe(1);
});

test.for(["panic with secrets", "reject with secrets"])(
  "masks secrets in the text of an uncaught error: %s",
  async (behavior, { expect }) => {
    await using attachable = await start(["--debug"]);
    await expect(attachable.attach().create(behavior, { secret: "hunter2" })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(await attachable.process.ended).toEqual({ code: 2, signal: null });
    expect(attachable.process.stderr).toMatch(/^panic: Error: (uncaught|unhandled) \(sensitive value\)/m);
    expect(attachable.process.stderr + attachable.process.stdout).not.toContain("hunter2");
  },
);

test("masks secrets in printed output", async ({ expect }) => {
  await using attachable = await start(["--debug"]);
  await attachable.attach().create("print secrets", { secret: "hunter2" });
  await attachable.process.waitForOutput(/^logged \(sensitive value\), /m);
  await attachable.process.waitForOutput(/^printed \(sensitive value\), /m);
  expect(attachable.process.stderr + attachable.process.stdout).not.toContain("hunter2");
});

test("prints readable log lines with the stack of an error, and JSON with TF_LOG=JSON", async ({ expect }) => {
  await using attachable = await start(["--debug"]);
  await attachable.attach().create("throw");
  await attachable.process.waitForOutput(/^ {2}\| {5}at .*\n(?! {2}\|)/m);
  const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
  const line = `^${time} \\[ERROR\\] Cannot create fixture_task: tf_req_id=\\S+ .*tf_rpc=ApplyResourceChange.*\n`;
  const stack = String.raw`  error=\n  \| Error: the machine does not exist\n  \|     at create \(test/fixtures/provider\.ts:\d+:\d+\)\n`;
  expect(attachable.process.stderr).toMatch(new RegExp(line + stack, "m"));

  await using inJson = await start(["--debug"], { TF_LOG: "JSON" });
  await inJson.attach().create("throw");
  await inJson.process.waitForOutput('"@message":"Cannot create fixture_task"');
});

test("prints the load error to the terminal", async () => {
  await using started = new ProviderProcess([...fixture("unloadable.ts"), "--debug"], {});
  await started.waitForOutput("licence file not found");
  await started.waitForOutput(/caused by Error: ENOENT: licence\.txt\n.*unloadable\.ts:\d+:\d+/);
});

test("prints a hint when the provider has no address, and uses the address of its package", async ({ expect }) => {
  const withoutAddress = fixture("without-address.ts");
  await using bare = new ProviderProcess([...withoutAddress, "--debug"], {});
  await bare.waitForOutput(/TF_REATTACH_PROVIDERS='.*'/);
  // Standard output and standard error arrive in any order.
  await bare.waitForOutput('only configurations with source = "hashicorp/fixture" attach');
  await using packaged = new ProviderProcess([...withoutAddress, "--debug"], { TENON_PROVIDER_ADDRESS: "example.com/acme/fixture" });
  await packaged.waitForOutput(/TF_REATTACH_PROVIDERS='.*'/);
  expect(packaged.stderr).not.toContain("No source address");
  expect(packaged.stdout).toContain('"example.com/acme/fixture"');
});
