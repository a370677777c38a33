// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { number, of, string, toJs, type Value } from "@tenon/cty";
import { describePeer } from "@tenon/peers/vitest";
import {
  attachProvider,
  launchProvider,
  type LaunchedProvider,
  type LaunchOptions,
  type LogRecord,
  reattachProviders,
} from "@tenon/plugin-host";
import { ProviderError } from "@tenon/schema";
import {
  applyChange,
  callFunction,
  dataSourceType,
  importObject,
  readDataSource,
  readObject,
  resourceType,
  validateConfig,
} from "@tenon/schema/lifecycle";
import { afterAll, describe, test } from "vitest";
import { apply, configuration, destroy, plan, summaries } from "./go-provider.ts";
import { isFrameworkCreate, LogWatcher } from "./log-watcher.ts";

describePeer(["framework-provider"], "a Go provider of protocol 6", ({ "framework-provider": peer }) => {
  const folder = mkdtempSync(join(tmpdir(), "host-framework-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Launches a provider and configures it with a new folder for its records. */
  async function configured(options: Partial<LaunchOptions> = {}): Promise<LaunchedProvider> {
    const provider = await launchProvider({ command: peer.path, ...options });
    await configure(provider);
    return provider;
  }

  async function configure(provider: Pick<LaunchedProvider, "getProviderSchema" | "configureProvider">): Promise<string> {
    const directory = mkdtempSync(join(folder, "records-"));
    const { provider: schema } = await provider.getProviderSchema({});
    const response = await provider.configureProvider({ terraformVersion: "1.12.6", config: configuration(schema!, { directory }) });
    if (response.diagnostics.length > 0) throw new Error(JSON.stringify(response.diagnostics));
    return directory;
  }

  /** Plans and applies a resource whose creation fails in the given mode. */
  async function trouble(provider: LaunchedProvider, mode: string, more: Record<string, unknown> = {}, signal?: AbortSignal) {
    const type = await resourceType(provider, "framework_trouble");
    const config = configuration(type.schema, { name: `${mode} trouble`, mode, ...more });
    return applyChange(type, await plan(type, config), { config, ...(signal ? { signal } : {}) });
  }

  test("reports its schema, and rejects an invalid configuration", async ({ expect }) => {
    await using provider = await launchProvider({ command: peer.path });
    expect(provider.protocolVersion).toBe(6);
    const schema = await provider.getProviderSchema({});
    expect([...schema.resources.keys()].sort()).toEqual(["framework_record", "framework_trouble"]);
    expect([...schema.functions.keys()].sort()).toEqual(["describe", "dynamic", "fail", "join"]);
    const config = configuration(schema.provider!, { directory: folder, options: { prefix: "a/b" } });
    const { diagnostics } = await provider.validateProviderConfig({ config });
    expect(diagnostics).toMatchObject([
      { severity: "error", summary: "Invalid Prefix", attribute: [{ name: "options" }, { name: "prefix" }] },
    ]);
    const refused = await provider.configureProvider({
      terraformVersion: "1.12.6",
      config: configuration(schema.provider!, { directory: folder, token: "wrong" }),
    });
    expect(summaries(refused.diagnostics)).toEqual(["error: Invalid Token"]);
  });

  test("creates, reads, changes, imports and deletes a resource with every kind of attribute and block", async ({ expect }) => {
    await using provider = await launchProvider({ command: peer.path });
    const directory = await configure(provider);
    const type = await resourceType(provider, "framework_record");
    expect(summaries(await validateConfig(type, configuration(type.schema, { name: "" })))).not.toEqual([]);

    const attributes = {
      name: "first",
      precise: of(number, 12345678901234567890n),
      tags: ["a", "b"],
      labels: new Set(["x", "y"]),
      notes: { k: "v" },
      anything: of(string, "anything"),
      rule: [{ port: 80, comment: null, match: [{ pattern: "*" }] }],
      access: [{ role: "admin", write: true }],
    };
    const made = await apply(type, configuration(type.schema, attributes));
    expect(toJs(made.value)).toMatchObject({
      name: "first",
      kind: "plain",
      revision: 1,
      precise: 12345678901234567890n,
      labels: ["x", "y"],
    });
    expect(made.identity).toBeDefined();
    expect(readdirSync(directory)).toHaveLength(1);

    const read = await readObject(type, made);
    expect(read).toMatchObject({ diagnostics: [], drift: [] });
    expect((await plan(type, configuration(type.schema, attributes), read.object)).action).toBe("noOp");

    const changed = await apply(type, configuration(type.schema, { ...attributes, tags: ["c"] }), read.object);
    expect(toJs(changed.value)).toMatchObject({ revision: 2, tags: ["c"] });
    const replaced = configuration(type.schema, { ...attributes, kind: "special" });
    expect(await plan(type, replaced, changed)).toMatchObject({ action: "replace", reason: "cannotUpdate" });

    const { id } = toJs(changed.value) as unknown as { id: string };
    const imported = await importObject(type, { id });
    expect(imported.diagnostics).toEqual([]);
    expect(toJs(imported.object!.value)).toMatchObject({ id, name: "first", tags: ["c"] });
    const lookup = await dataSourceType(provider, "framework_lookup");
    const found = await readDataSource(lookup, configuration(lookup.schema, { id }));
    expect(toJs(found.value!)).toMatchObject({ name: "first", revision: 2 });

    expect(await destroy(type, changed)).toBeUndefined();
    expect(readdirSync(directory)).toEqual([]);
  });

  test("calls its functions", async ({ expect }) => {
    await using provider = await launchProvider({ command: peer.path });
    const { functions } = await provider.getProviderSchema({});
    const call = (name: string, ...args: Value[]) => callFunction(provider, name, functions.get(name)!, args);
    const texts = ["-", "a", "b", "c"].map((text) => of(string, text));
    expect(toJs((await call("join", ...texts)).result!)).toBe("a-b-c");
    expect((await call("fail", of(string, "no"), of(number, 1))).error).toEqual({ text: "no", functionArgument: 1 });
  });

  describe("that fails", () => {
    test("with a panic rejects calls with the panic and its stack (pitfall 24)", async ({ expect }) => {
      await using provider = await configured();
      const error = await trouble(provider, "panic").catch((error: unknown) => error);
      expect(error).toBeInstanceOf(ProviderError);
      expect(error).toMatchObject({
        code: "UNAVAILABLE",
        message: expect.stringMatching(
          /^the provider terraform-provider-framework \(.*\) ended with exit code 2\npanic: trouble asked for.*goroutine/s,
        ),
        cause: { code: "PROVIDER_CRASHED", process: { exit: { code: 2, signal: null } } },
      });
      await expect(provider.getProviderSchema({})).rejects.toMatchObject({ code: "UNAVAILABLE" });
      expect(await provider.exited).toEqual({ code: 2, signal: null });
    });

    test("by an exit without output rejects calls with the exit code", async ({ expect }) => {
      await using provider = await configured();
      await expect(trouble(provider, "exit")).rejects.toMatchObject({
        code: "UNAVAILABLE",
        message: expect.stringContaining("exit code 3"),
      });
    });

    test("by SIGKILL rejects all calls in flight with the signal (pitfall 27)", async ({ expect }) => {
      const log = new LogWatcher();
      await using provider = await configured({ onLog: log.onLog, logLevel: "trace" });
      const calls = Promise.allSettled(Array.from({ length: 10 }, (_, index) => trouble(provider, "hang", { name: `hanging ${index}` })));
      await log.waitFor(isFrameworkCreate, 10);
      process.kill(provider.pid, "SIGKILL");
      const results = await calls;
      for (const result of results) {
        expect(result).toMatchObject({
          status: "rejected",
          reason: { code: "UNAVAILABLE", message: expect.stringContaining("signal SIGKILL") },
        });
      }
    });

    test("to return ends the call on stop, and serves later calls (pitfall 15)", async ({ expect }) => {
      const log = new LogWatcher();
      await using provider = await configured({ onLog: log.onLog, logLevel: "trace" });
      const call = trouble(provider, "hang");
      await log.waitFor(isFrameworkCreate);
      expect(await provider.stop({})).toEqual({ error: "" });
      expect(summaries((await call).diagnostics)).toEqual(["error: Creation Stopped"]);
      expect((await trouble(provider, "none")).object).toBeDefined();
    });

    test("to return can be cancelled by a signal or a time limit", async ({ expect }) => {
      await using provider = await configured();
      await expect(trouble(provider, "hang", {}, AbortSignal.timeout(300))).rejects.toMatchObject({ code: "CANCELLED" });
      await using limited = await configured({ callTimeoutMs: { applyResourceChange: 5_000 } });
      await expect(trouble(limited, "hang")).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
      expect((await trouble(limited, "none")).object).toBeDefined();
    });

    test.for(["stdout", "stderr"])(
      "to stop printing to %s does not block, with or without a listener (pitfall 26)",
      async (mode, { expect }) => {
        await using silent = await configured();
        expect((await trouble(silent, mode)).object).toBeDefined();
        const records: LogRecord[] = [];
        await using logged = await configured({ onLog: (record) => void records.push(record), logLevel: "debug" });
        expect((await trouble(logged, mode)).object).toBeDefined();
        await expect.poll(() => records.filter(({ message }) => message.includes("x".repeat(1023))).length, { timeout: 30_000 }).toBe(1024);
      },
    );

    test("to finish a call ends when it is closed", async ({ expect }) => {
      const log = new LogWatcher();
      const provider = await configured({ onLog: log.onLog, logLevel: "trace" });
      // The call outlasts the time limit of this test, unless closing the provider ends it.
      const call = trouble(provider, "slow", { seconds: 600 });
      await log.waitFor(isFrameworkCreate);
      const closed = provider.close();
      await expect(call).rejects.toMatchObject({ code: "CLOSED" });
      await closed;
    });
  });

  test("writes only log records of the requested level", async ({ expect }) => {
    const count = async (logLevel: "trace" | "warn"): Promise<number> => {
      const records: LogRecord[] = [];
      const provider = await configured({ onLog: (record) => void records.push(record), logLevel });
      await trouble(provider, "none");
      // Records may arrive after the response, but not after the end of the provider.
      await provider.close();
      return records.length;
    };
    expect(await count("warn")).toBe(0);
    expect(await count("trace")).toBeGreaterThan(20);
  });

  test("keeps running after an attached host closes", async ({ expect, onTestFinished }) => {
    const debug = spawn(peer.path, ["-debug"], { stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void debug.kill("SIGKILL"));
    debug.stderr.resume();
    let output = "";
    while (!output.includes("TF_REATTACH_PROVIDERS='")) output += String((await once(debug.stdout, "data"))[0]);
    const [, variable] = /TF_REATTACH_PROVIDERS='(.*)'/.exec(output) ?? [];
    const [entry] = reattachProviders({ TF_REATTACH_PROVIDERS: variable! }).values();

    const provider = await attachProvider(entry!, { name: "framework" });
    expect(provider).toMatchObject({ name: "framework", protocolVersion: 6, pid: debug.pid });
    await configure(provider);
    await provider.close();
    await expect(provider.getProviderSchema({})).rejects.toMatchObject({ code: "CLOSED" });

    const again = await attachProvider(entry!);
    expect((await again.getProviderSchema({})).resources.size).toBe(2);
    debug.kill("SIGKILL");
    await expect
      .poll(
        () =>
          again.getProviderSchema({}).then(
            () => "a response",
            (error: ProviderError) => error.code,
          ),
        { timeout: 30_000 },
      )
      .toBe("UNAVAILABLE");
    await again.close();
    await expect(attachProvider(entry!)).rejects.toMatchObject({
      code: "CONNECTION_FAILED",
      message: expect.stringContaining("has ended: start it again"),
    });
  });
});
