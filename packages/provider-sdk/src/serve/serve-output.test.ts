// SPDX-License-Identifier: Apache-2.0
// Tests, with real processes, where a provider's output, log entries and errors go.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { object, of, string, toJs } from "@tenon/cty";
import { parseLogLine } from "@tenon/protocol/log-line";
import { describe, test } from "vitest";
import { useBundledProvider } from "../../test/bundled-fixture.ts";
import { fixture, host, type HostedProvider } from "../../test/hosted-process.ts";

const bundled = useBundledProvider();

describe("printed output", () => {
  test("goes to the host's log, not to standard output", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    await hosted.create("print");
    let printed = "";
    for await (const text of hosted.printed()) {
      printed += text;
      if (printed.includes("written")) break;
    }
    expect(printed).toBe("printed by the provider\nwritten by the provider\n");
    expect(hosted.process.stdout).toBe(`${hosted.line}\n`);
  });

  test("does not block the provider when no client reads it", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    expect((await hosted.create("print a lot")).diagnostics).toEqual([]);
    expect((await hosted.create("one more")).diagnostics).toEqual([]);
  });
});

test("a response that breaks a protocol rule becomes an error when TENON_PROVIDER_CHECK is set", async ({ expect }) => {
  await using checked = await host(bundled.command, { environment: { TENON_PROVIDER_CHECK: "1" } });
  expect((await checked.create("break the plan")).diagnostics).toMatchObject([
    { severity: "error", summary: "Provider broke a rule of the protocol", attribute: [{ name: "behavior" }] },
  ]);
  await using unchecked = await host(bundled.command);
  expect((await unchecked.create("break the plan")).diagnostics).toEqual([]);
});

test("process.exit in a handler becomes an error of that handler, and the provider keeps running", async ({ expect }) => {
  await using hosted = await host(bundled.command);
  const { diagnostics } = await hosted.create("exit");
  expect(diagnostics).toMatchObject([
    {
      severity: "error",
      summary: "Cannot create fixture_task",
      detail: expect.stringContaining("The provider called process.exit(3) in a handler of ApplyResourceChange") as string,
    },
  ]);
  expect((await hosted.create("one more")).diagnostics).toEqual([]);
});

describe("log lines", () => {
  const logged = async (environment: NodeJS.ProcessEnv): Promise<HostedProvider> => {
    const hosted = await host(bundled.command, { environment });
    await hosted.create("log", { secret: "correct horse" });
    await hosted.shutDown();
    await hosted.process.ended;
    return hosted;
  };
  const linesOf = ({ process: { stderr } }: HostedProvider): Record<string, unknown>[] =>
    stderr
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  test("have the format of hosts, and name the provider and the call (pitfall 23)", async ({ expect }) => {
    await using hosted = await logged({ TF_LOG: "TRACE" });
    const line = linesOf(hosted).find((line) => line["@message"] === "a line from the provider");
    expect(line).toMatchObject({
      "@level": "info",
      "@module": "provider",
      tf_rpc: "ApplyResourceChange",
      tf_resource_type: "fixture_task",
      tf_provider_addr: "example.com/tenon/fixture",
      tf_proto_version: "6.11",
      count: 3,
    });
    expect(line?.["tf_req_id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(line?.["@timestamp"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    for (const text of hosted.process.stderr.trimEnd().split("\n"))
      expect(parseLogLine(text), text).toMatchObject({ message: expect.any(String) as string });
  });

  test("contain the duration and the result of each call", async ({ expect }) => {
    await using hosted = await host(bundled.command, { environment: { TF_LOG: "TRACE" } });
    await hosted.create("throw");
    await hosted.shutDown();
    await hosted.process.ended;
    const ofCall = linesOf(hosted).filter((line) => line["tf_rpc"] === "ApplyResourceChange");
    const [received, ...rest] = ofCall;
    expect(received).toMatchObject({ "@level": "trace", "@message": "Received request" });
    expect(rest.at(-1)).toMatchObject({ "@message": "Served request", diagnostic_error_count: 1, diagnostic_warning_count: 0 });
    expect(rest.at(-1)?.["tf_req_duration_ms"]).toBeTypeOf("number");
    expect(rest).toContainEqual(
      expect.objectContaining({ "@level": "error", diagnostic_detail: expect.stringContaining("the machine does not exist") as string }),
    );
    expect(new Set(ofCall.map((line) => line["tf_req_id"])).size).toBe(1);
  });

  test("contain the stack of an error and of its causes, with positions in the sources", async ({ expect }) => {
    await using hosted = await host(bundled.command, { environment: { TF_LOG: "ERROR" } });
    await hosted.create("throw with causes");
    await hosted.shutDown();
    await hosted.process.ended;
    const line = linesOf(hosted).find((each) => each["@message"] === "Cannot create fixture_task");
    expect(line).toMatchObject({ "@level": "error" });
    const stack = String(line?.["error"]);
    const errors = ["Error: cannot write the task", "caused by AggregateError: no disk", "contains TypeError: no space left"];
    expect(stack.split("\n").filter((text) => !text.startsWith("    "))).toEqual([...errors, "caused by a full house"]);
    // The positions in test/fixtures/provider.ts of `new Error(`, `new AggregateError(`, and of the function that is called in between.
    const fixtureLines = readFileSync(join(import.meta.dirname, "../../test/fixtures/provider.ts"), "utf8").split("\n");
    const positionOf = (text: string): string => {
      const index = fixtureLines.findIndex((each) => each.includes(text));
      return `test/fixtures/provider.ts:${index + 1}:${fixtureLines[index]!.indexOf(text) + 1}`;
    };
    expect(stack).toContain(`Error: cannot write the task\n    at create (${positionOf('new Error("cannot write the task"')})\n`);
    expect(stack).toContain(`no disk\n    at create (${positionOf("new AggregateError(")})\n    (`);
    expect(stack).toContain(`no space left\n    at noSpace (${positionOf('new TypeError("no space left"')})\n    at create (`);
  });

  test("never contain sensitive values", async ({ expect }) => {
    await using hosted = await logged({ TF_LOG: "TRACE" });
    expect(hosted.process.stderr).toContain("a line from the provider");
    expect(hosted.process.stderr).not.toContain("correct horse");
  });

  test.for([{}, { TF_LOG: "OFF" }, { TF_LOG: "TRACE", TF_LOG_PROVIDER: "WARN" }, { TF_LOG: "TRACE", TF_LOG_PROVIDER_FIXTURE: "ERROR" }])(
    "are not written when the host drops them: %j",
    async (environment, { expect }) => {
      await using hosted = await logged(environment);
      expect(hosted.process.stderr).toBe("");
    },
  );
});

describe("an error thrown", () => {
  test("by a handler becomes a diagnostic with its message, and the provider keeps running (pitfall 22)", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    const { diagnostics } = await hosted.create("throw");
    expect(diagnostics).toMatchObject([{ severity: "error", detail: expect.stringContaining("the machine does not exist") as string }]);
    expect((await hosted.create("one more")).diagnostics).toEqual([]);
  });

  test.for(["panic", "reject"])(
    "outside a handler (%s) ends the process with a crash message that hosts recognise (pitfall 24)",
    async (behavior, { expect }) => {
      await using hosted = await host(bundled.command);
      await expect(hosted.create(behavior)).rejects.toMatchObject({ code: "UNAVAILABLE" });
      expect(await hosted.process.ended).toEqual({ code: 2, signal: null });
      expect(hosted.process.stderr).toMatch(
        /^panic: Error: (uncaught|unhandled) failure\n {4}at .*\(?test\/fixtures\/provider\.ts:\d+:\d+\)?\n/,
      );
      expect(existsSync((hosted.handshake.address as { path: string }).path)).toBe(false);
    },
  );
});

describe("secrets of calls in flight", () => {
  const secret = 'hunter2 "of" the task';
  /** Whether a text contains a secret in any of the forms that the fixture prints. */
  const leaks = (text: string): boolean => {
    const decoded = [...text.matchAll(/[A-Za-z0-9+/]{8,}={0,2}/g)].map(([base64]) => Buffer.from(base64, "base64").toString());
    return [text, ...decoded].some((shown) => /hunter2/.test(shown));
  };

  test.for(["panic with secrets", "reject with secrets"])("are masked in the text of a crash: %s", async (behavior, { expect }) => {
    await using hosted = await host(bundled.command);
    await expect(hosted.create(behavior, { secret })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await hosted.process.ended;
    expect(hosted.process.stderr).toMatch(/^panic: Error: (uncaught|unhandled) \(sensitive value\)/);
    expect(leaks(hosted.process.stderr), hosted.process.stderr).toBe(false);
  });

  test("are masked in printed output", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    await hosted.create("print secrets", { secret });
    let printed = "";
    for await (const text of hosted.printed()) {
      printed += text;
      if (printed.includes("\n")) break;
    }
    expect(printed).toMatch(/^printed \(sensitive value\), /);
    expect(leaks(printed), printed).toBe(false);
    await hosted.process.waitForOutput("logged");
    expect(hosted.process.stderr).toMatch(/^logged \(sensitive value\), /);
    expect(leaks(hosted.process.stderr), hosted.process.stderr).toBe(false);
  });

  test("are masked while a handler creates an ephemeral value", async ({ expect }) => {
    await using hosted = await host(bundled.command, { environment: { TF_LOG: "TRACE" } });
    await hosted.configure("default");
    const config = of(object({ role: string, token: string }), { role: "reader", token: null });
    const clientCapabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };
    const opened = await hosted.provider.openEphemeralResource({ typeName: "fixture_token", config, clientCapabilities });
    expect(opened.diagnostics).toEqual([]);
    expect(toJs(opened.result)).toEqual({ role: "reader", token: "token-for-reader" });
    let printed = "";
    for await (const text of hosted.printed()) {
      printed += text;
      if (printed.includes("\n")) break;
    }
    expect(printed).toBe("made (sensitive value)\n");
    await hosted.shutDown();
    await hosted.process.ended;
    expect(hosted.process.stderr).toContain('"@message":"made (sensitive value)"');
    expect(hosted.process.stderr).toMatch(/^made \(sensitive value\)$/m);
    expect(hosted.process.stderr).not.toContain("token-for-reader");
  });
});

describe("a provider that cannot be loaded", () => {
  test.for([
    ["unloadable.ts", "licence file not found: ENOENT: licence.txt"],
    ["missing-provider.ts", "exports no provider"],
    ["failing-setup.ts", "setup failed: no network"],
  ] as const)("%s: answers every call with the reason, and keeps running", async ([name, why], { expect }) => {
    await using hosted = await host(fixture(name));
    const { diagnostics } = await hosted.provider.getProviderSchema({});
    expect(diagnostics).toMatchObject([{ severity: "error", detail: expect.stringContaining(why) as string }]);
    const again = await hosted.provider.getMetadata({});
    expect(again.diagnostics[0]?.detail).toContain(why);
    await hosted.shutDown();
    expect(await hosted.process.ended).toEqual({ code: 0, signal: null });
  });
});
