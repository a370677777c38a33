// SPDX-License-Identifier: Apache-2.0
// A provider that waits for hosts to attach, as one does in a debugger, with real processes.
import { existsSync, readFileSync } from "node:fs";
import { connect as dial } from "node:net";
import { join } from "node:path";
import { toJs } from "@tenon/cty";
import { parseReattachProviders } from "@tenon/protocol/reattach";
import { afterAll, beforeAll, test, vi } from "vitest";
import { bundledFixture, type BundledFixture } from "../../test/bundled-fixture.ts";
import { connect, type Connection, fixture, ProviderProcess } from "../../test/hosted-process.ts";

let bundled: BundledFixture;
beforeAll(async () => {
  bundled = await bundledFixture("main.ts");
});
afterAll(() => bundled[Symbol.dispose]());

interface Attachable extends AsyncDisposable {
  readonly process: ProviderProcess;
  readonly path: string;
  attach(): Connection;
}

async function start(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Attachable> {
  const process = new ProviderProcess([...bundled.command, ...args], environment);
  await process.saying(/TF_REATTACH_PROVIDERS='.*'/);
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
  throw new Error("the variable does not say what it should");
}

test.for([
  [["--debug"], {}],
  [[], { TENON_PROVIDER_DEBUG: "1" }],
] as const)("is asked for with %j and %j, and Ctrl-C ends it", async ([args, environment], { expect }) => {
  await using attachable = await start(args, environment);
  expect((await attachable.attach().provider.getProviderSchema({})).resources.size).toBe(1);
  attachable.process.child.kill("SIGINT");
  expect(await attachable.process.ended).toEqual({ code: 0, signal: null });
  expect(existsSync(attachable.path)).toBe(false);
});

test("prints what it prints to the terminal", async ({ expect }) => {
  await using attachable = await start(["--debug"]);
  await attachable.attach().create("print");
  await attachable.process.saying("written by the provider");
  expect(attachable.process.stdout).toContain("printed by the provider");
});

test("keeps the configurations of its hosts apart", async ({ expect }) => {
  await using attachable = await start(["--debug"]);
  const [one, other] = [attachable.attach(), attachable.attach()];
  await Promise.all([one.configure("one"), other.configure("other")]);
  const results = await Promise.all([one.create("deed"), other.create("deed")]);
  expect(results.map(({ newState }) => (toJs(newState) as { result: string }).result)).toEqual(["deed by one", "deed by other"]);
});

test("cleans up after each host that leaves, and not after the others", async ({ expect }) => {
  await using attachable = await start(["--debug"]);
  const traces = ["left", "stayed"].map((name) => join(bundled.folder, name));
  const [left, stayed] = [attachable.attach(), attachable.attach()];
  await left.configure("left", traces[0]);
  await stayed.configure("stayed", traces[1]);
  await left.carrier.close();
  await vi.waitFor(() => expect(existsSync(traces[0] ?? "")).toBe(true), { timeout: 5000 });
  expect((await stayed.create("deed")).diagnostics).toEqual([]);
  expect(readFileSync(traces[1] ?? "", "utf8")).toBe("deed\n");
  attachable.process.child.kill("SIGINT");
  await attachable.process.ended;
  expect(readFileSync(traces[1] ?? "", "utf8")).toBe("deed\ncleaned up\n");
});

test("is not impressed by a host that only looks whether it is there", async ({ expect }) => {
  await using attachable = await start(["--debug"]);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await new Promise<void>((resolve, reject) => {
      const probe = dial(attachable.path, () => probe.destroy());
      probe.on("error", reject).on("close", () => resolve());
    });
  }
  expect((await attachable.attach().provider.getProviderSchema({})).resources.size).toBe(1);
});

test("says in the terminal why the provider cannot be loaded", async ({ expect }) => {
  await using started = new ProviderProcess([...fixture("unloadable.ts"), "--debug"], {});
  await started.saying("its licence file is not there");
  expect(started.stderr).toContain("its licence file is not there");
});
