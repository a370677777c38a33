// SPDX-License-Identifier: Apache-2.0
// What a Pulumi plugin does with requests that are malformed, too large or in the wrong order: it refuses each with a reason, and goes on.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { connect, type IncomingHttpHeaders } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { callErrorCode } from "@tenon/protocol/carrier/calls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PluginProcess, TestEngine } from "./pulumi-plugin.ts";

const signature = "4dabf18193072939515e22adb298388d";
const urn = "urn:pulumi:dev::project::framework:index/record:Record::first";
const folder = realpathSync(mkdtempSync(join(tmpdir(), "pulumi-bad-input-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Refusal {
  readonly code: string | undefined;
  readonly message: string;
}

async function refusal(call: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { code: callErrorCode(error), message: error instanceof Error ? error.message : "no error" };
}

const refused = (code: string, text: string): Refusal => ({ code, message: expect.stringContaining(text) as string });

describePeer(["framework-provider"], "a plugin", ({ "framework-provider": peer }) => {
  let engine: TestEngine;
  let plugin: PluginProcess;
  let provider: ReturnType<PluginProcess["connect"]>;
  beforeAll(async () => {
    engine = await TestEngine.start();
    plugin = await PluginProcess.start([engine.address]);
    provider = plugin.connect();
  }, 60_000);
  afterAll(async () => {
    await plugin[Symbol.asyncDispose]();
    await engine[Symbol.asyncDispose]();
  });

  const ofValue = (value: Uint8Array): Promise<unknown> =>
    provider.parameterize({ parameters: { case: "value", value: { name: "x", version: "1.0.0", value } } });
  const ofArgs = (...args: string[]): Promise<unknown> => provider.parameterize({ parameters: { case: "args", value: { args } } });

  test.for([
    ["", "not JSON"],
    ["\u0000\u0001", "not JSON"],
    ["{", "not JSON"],
    ["[1]", "must be an object"],
    ["null", "exactly one of remote and local"],
    [`{"remote":{"url":1,"version":"1.0.0"}}`, "remote.url must be a non-empty string"],
    [`{"local":{"path":"p"},"names":{"a":"1 2"}}`, "is not an identifier"],
    [`{"local":{"path":"p"},"exactNumbers":"yes"}`, "exactNumbers must be a boolean"],
    [`{"local":{"path":"p"},"lock":{"platform":"x","hashes":"h1:"}}`, "lock.hashes must be a list"],
  ] as const)("refuses the parameter %j", async ([value, problem]) => {
    expect(await refusal(ofValue(new TextEncoder().encode(value)))).toEqual(refused("invalidArgument", problem));
  });

  test("refuses a parameter that is no text, a request without one, and a provider that does not exist", async () => {
    expect(await refusal(ofValue(new Uint8Array([255, 254, 0])))).toEqual(refused("invalidArgument", "not JSON"));
    expect(await refusal(provider.parameterize({}))).toEqual(refused("invalidArgument", "needs arguments or a value"));
    expect(await refusal(ofArgs("/nowhere/terraform-provider-x"))).toEqual(refused("failedPrecondition", "there is no file"));
    expect(await refusal(ofArgs("a/b/c/d/e"))).toEqual(refused("failedPrecondition", "is not the source address"));
    expect(await refusal(provider.check({ urn }))).toEqual(refused("failedPrecondition", "call Parameterize first"));
  });

  test("accepts one parameter in a session, after any number of refused ones", async () => {
    await ofArgs(peer.path);
    await provider.configure({ args: { directory: join(folder, "records") } });
    expect(await refusal(ofArgs(peer.path))).toEqual(refused("failedPrecondition", "a session has one provider"));
    expect(await refusal(ofValue(new TextEncoder().encode("{")))).toMatchObject({ code: "failedPrecondition" });
  });

  test("reports each property of the wrong type", async () => {
    const { failures } = await provider.check({
      urn,
      news: { name: { a: 1 }, kind: [1], ratio: "x", tags: "a", origin: 5, notes: [1], items: { a: 1 }, flag: "maybe", none: 1 },
    });
    expect(failures.map(({ property }) => property).toSorted()).toEqual(
      ["flag", "items", "kind", "name", "none", "notes", "origin", "ratio", "tags"].toSorted(),
    );
    const asset = { [signature]: "c44067f5952c0a294b673a41bacd8c17", text: "x" };
    expect((await provider.check({ urn, news: { name: asset } })).failures).toMatchObject([
      { property: "name", reason: "an asset cannot be used here" },
    ]);
    expect((await provider.check({ urn, news: { name: "n", kind: "k", ratio: Number.NaN } })).failures).toMatchObject([
      { property: "ratio" },
    ]);
    expect(await refusal(provider.create({ urn, properties: { name: { a: 1 } } }))).toEqual(
      refused("invalidArgument", "expected a string"),
    );
  });

  test.for([
    ["an unknown signature", { [signature]: "1b" }, 'a.b is malformed: unknown signature "1b"'],
    ["a secret without a value", { [signature]: "1b47061264138c4ac30d75fd1eb44270" }, "a secret needs a value"],
    ["a byte string that is no text", { [signature]: "803fd3297a5875dc03ca845dda5d2a98", value: 1 }, "a byte string needs a value"],
  ] as const)("refuses %s, with its place", async ([, value, problem]) => {
    expect(await refusal(provider.check({ urn, news: { a: { b: value } } }))).toEqual(refused("invalidArgument", problem));
  });

  test("refuses values that are nested too deeply, and accepts 45 levels", async () => {
    type Nested = { readonly a: Nested } | string;
    const nested = (levels: number): Nested => (levels === 0 ? "x" : { a: nested(levels - 1) });
    const check = (levels: number): ReturnType<typeof provider.check> =>
      provider.check({ urn, news: { name: "n", kind: "k", anything: nested(levels) } });
    expect((await check(45)).failures).toEqual([]);
    expect(await refusal(check(60))).toEqual(refused("invalidArgument", "maximum recursion depth"));
  });

  test("refuses what is not there: resource types, functions, methods, lists, pages, packages", async () => {
    const not = (text: string): Refusal => refused("failedPrecondition", text);
    expect(await refusal(provider.check({ urn: "nonsense" }))).toEqual(not('"nonsense" is not a URN'));
    expect(await refusal(provider.check({ urn: urn.replace("record:Record", "none:None") }))).toEqual(not("no resource type"));
    expect(await refusal(provider.invoke({ tok: "none" }))).toEqual(not('no function "none"'));
    expect(await refusal(provider.call({ tok: "none" }))).toEqual(not('no method "none"'));
    expect(await refusal(provider.getSchema({ subpackageName: "other" }))).toEqual(not("and not other"));
    expect(await refusal(provider.attach({ address: "nonsense" }))).toMatchObject({ code: "invalidArgument" });
    const list = async (request: { readonly token: string; readonly continuationToken?: string }): Promise<void> => {
      for await (const _ of provider.list(request));
    };
    expect(await refusal(list({ token: "none" }))).toEqual(not("cannot list"));
    const token = "framework:index/record:Record";
    expect(await refusal(list({ token, continuationToken: "none" }))).toEqual(not("start the list again"));
  });

  test("refuses stored states that are none", async () => {
    const news = { name: "n", kind: "k" };
    expect(await refusal(provider.diff({ urn, id: "x", olds: { ...news, __meta: "none" }, news }))).toEqual(
      refused("failedPrecondition", "__meta in the state"),
    );
  });

  test("refuses to delete a resource by outputs that do not fit its type, and keeps it", async () => {
    const { id, properties } = await provider.create({ urn, properties: { name: "kept", kind: "plain", tags: ["a"] } });
    for (const malformed of [{ name: { a: 1 } }, { tags: "a" }, { tags: [["a"]] }, { notes: [1] }, { ratio: "x" }]) {
      const call = provider.delete({ urn, id, properties: { ...properties, ...malformed } });
      expect(await refusal(call)).toEqual(refused("failedPrecondition", Object.keys(malformed)[0]!));
    }
    const { properties: read } = await provider.read({ urn, id, properties: properties!, inputs: {} });
    expect(read).toMatchObject({ name: "kept" });
    await provider.delete({ urn, id, properties: properties! });
  });

  test("refuses messages of more than 400 MiB before it has read them, and malformed ones", async () => {
    const session = connect(`http://127.0.0.1:${plugin.port}`);
    const prefix = (bytes: number): Buffer => Buffer.from([0, bytes >>> 24, (bytes >>> 16) & 255, (bytes >>> 8) & 255, bytes & 255]);
    const send = (body: Buffer, { method = "Check", end = true } = {}): Promise<{ status: unknown; message: unknown }> =>
      new Promise((resolve, reject) => {
        const path = `/pulumirpc.ResourceProvider/${method}`;
        const stream = session.request({ ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" });
        let headers: IncomingHttpHeaders = {};
        const add = (more: IncomingHttpHeaders): void => void (headers = { ...headers, ...more });
        stream.on("response", add).on("trailers", add).on("error", reject);
        stream.on("close", () => resolve({ status: headers["grpc-status"], message: headers["grpc-message"] }));
        stream.resume();
        if (end) stream.end(body);
        else stream.write(body);
      });
    const text = (part: string): unknown => expect.stringContaining(part);
    expect(await send(prefix((400 << 20) + 1), { end: false })).toEqual({ status: "8", message: text("the maximum is 419430400") });
    expect(await send(Buffer.concat([prefix(3), Buffer.from([255, 255, 255])]))).toEqual({ status: "3", message: text("is not a valid") });
    expect(await send(prefix(100))).toEqual({ status: "3", message: text("ends in the middle of a message") });
    expect(await send(prefix(0), { method: "None" })).toEqual({ status: "12", message: text("has no method") });
    session.close();
  });

  test("goes on after all of these", async () => {
    expect((await provider.getPluginInfo({})).version).toMatch(/^\d/);
  });

  test("reads and writes messages that are larger than gRPC's usual limit", { timeout: 180_000 }, async () => {
    const name = "x".repeat(16 << 20);
    const { inputs } = await provider.check({ urn, news: { name, kind: "k" } });
    expect(inputs?.["name"]).toBe(name);
  });
});
