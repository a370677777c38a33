// SPDX-License-Identifier: Apache-2.0
// What a provider prints, logs and throws, and where it ends up, with real processes.
import { existsSync } from "node:fs";
import { parseLogLine } from "@tenon/protocol/log-line";
import { afterAll, beforeAll, describe, test } from "vitest";
import { bundledFixture, type BundledFixture } from "../../test/bundled-fixture.ts";
import { fixture, host, type HostedProvider } from "../../test/hosted-process.ts";

let bundled: BundledFixture;
beforeAll(async () => {
  bundled = await bundledFixture("main.ts");
});
afterAll(() => bundled[Symbol.dispose]());

describe("what is printed", () => {
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

  test("holds nothing up when nobody listens", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    expect((await hosted.create("print a lot")).diagnostics).toEqual([]);
    expect((await hosted.create("one more")).diagnostics).toEqual([]);
  });
});

test("an answer that breaks a rule is told where the environment asks for it, and left to the host otherwise", async ({ expect }) => {
  await using checked = await host(bundled.command, { environment: { TENON_PROVIDER_CHECK: "1" } });
  expect((await checked.create("break its word")).diagnostics).toMatchObject([
    { severity: "error", summary: "Provider broke a rule of the protocol", attribute: [{ name: "what" }] },
  ]);
  await using unchecked = await host(bundled.command);
  expect((await unchecked.create("break its word")).diagnostics).toEqual([]);
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

  test("are what hosts parse, and say which call of which provider they are of (pitfall 23)", async ({ expect }) => {
    await using hosted = await logged({ TF_LOG: "TRACE" });
    const line = linesOf(hosted).find((line) => line["@message"] === "a line from the provider");
    expect(line).toMatchObject({
      "@level": "info",
      "@module": "provider",
      tf_rpc: "ApplyResourceChange",
      tf_resource_type: "fixture_deed",
      tf_provider_addr: "example.com/tenon/fixture",
      tf_proto_version: "6.11",
      count: 3,
    });
    expect(line?.["tf_req_id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(line?.["@timestamp"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    for (const text of hosted.process.stderr.trimEnd().split("\n"))
      expect(parseLogLine(text), text).toMatchObject({ message: expect.any(String) as string });
  });

  test("say how long each call took and what it answered", async ({ expect }) => {
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
      expect.objectContaining({ "@level": "error", diagnostic_detail: expect.stringContaining("the machine said no") as string }),
    );
    expect(new Set(ofCall.map((line) => line["tf_req_id"])).size).toBe(1);
  });

  test("never hold what is sensitive", async ({ expect }) => {
    await using hosted = await logged({ TF_LOG: "TRACE" });
    expect(hosted.process.stderr).toContain("a line from the provider");
    expect(hosted.process.stderr).not.toContain("correct horse");
  });

  test.for([{}, { TF_LOG: "OFF" }, { TF_LOG: "TRACE", TF_LOG_PROVIDER: "WARN" }, { TF_LOG: "TRACE", TF_LOG_PROVIDER_FIXTURE: "ERROR" }])(
    "are not written where nobody would see them: %j",
    async (environment, { expect }) => {
      await using hosted = await logged(environment);
      expect(hosted.process.stderr).toBe("");
    },
  );
});

describe("what is thrown", () => {
  test("by a handler is a diagnostic with its text, and the provider goes on (pitfall 22)", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    const { diagnostics } = await hosted.create("throw");
    expect(diagnostics).toMatchObject([{ severity: "error", detail: expect.stringContaining("the machine said no") as string }]);
    expect((await hosted.create("one more")).diagnostics).toEqual([]);
  });

  test.for(["panic", "reject"])("by nobody's handler (%s) is a crash as hosts know it (pitfall 24)", async (what, { expect }) => {
    await using hosted = await host(bundled.command);
    await expect(hosted.create(what)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(await hosted.process.ended).toEqual({ code: 2, signal: null });
    expect(hosted.process.stderr).toMatch(/^panic: Error: nobody (caught|waited for) this\n {4}at /);
    expect(existsSync((hosted.handshake.address as { path: string }).path)).toBe(false);
  });
});

describe("a provider that cannot be loaded", () => {
  test.for([
    ["unloadable.ts", "its licence file is not there: ENOENT: licence.txt"],
    ["unexported.ts", "exports no provider"],
    ["unset-up.ts", "it cannot be set up on a Saturday"],
  ] as const)("%s: says why to every call, and stays", async ([name, why], { expect }) => {
    await using hosted = await host(fixture(name));
    const { diagnostics } = await hosted.provider.getProviderSchema({});
    expect(diagnostics).toMatchObject([{ severity: "error", detail: expect.stringContaining(why) as string }]);
    const again = await hosted.provider.getMetadata({});
    expect(again.diagnostics[0]?.detail).toContain(why);
    await hosted.shutDown();
    expect(await hosted.process.ended).toEqual({ code: 0, signal: null });
  });
});
