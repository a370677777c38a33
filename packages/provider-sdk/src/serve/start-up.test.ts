// SPDX-License-Identifier: Apache-2.0
// What is loaded before the handshake line goes out. Times differ from machine to machine; this does not.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { bundledFixture, type BundledFixture } from "../../test/bundled-fixture.ts";
import { fixture, host } from "../../test/hosted-process.ts";

let bundled: BundledFixture;
let folder = "";
beforeAll(async () => {
  bundled = await bundledFixture("main.ts");
  folder = mkdtempSync(join(tmpdir(), "tenon-"));
});
afterAll(() => {
  bundled[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

interface Loads {
  /** The provider's files, in order. */
  readonly files: readonly string[];
  /** Node's own modules. */
  readonly own: readonly string[];
}

async function loadsOf(command: readonly string[], tls: boolean): Promise<Loads> {
  const recorded = join(folder, "loads.json");
  const [node = "", ...args] = command;
  const preload = join(import.meta.dirname, "..", "..", "test", "record-loads.cjs");
  await using hosted = await host([node, "--require", preload, ...args], { tls, environment: { RECORDED_LOADS: recorded } });
  const loads = JSON.parse(readFileSync(recorded, "utf8")) as Loads;
  // Whatever it is that was left out is needed later.
  await hosted.provider.getProviderSchema({});
  return loads;
}

/** Node's modules that are dear: what they stand for must come after the line. */
const dear = /NativeModule (internal\/)?(http2|https?|_http_|tls|_tls_|zlib|undici|internal\/deps\/undici|worker_threads)/;
const cryptography = /NativeModule (internal\/)?crypto\/(keygen|sig|x509|keys)$|NativeModule crypto$/;

describe.for([true, false])("from a bundle: %s", (isBundle) => {
  const command = (): readonly string[] => (isBundle ? bundled.command : fixture("main.ts"));

  test("in plaintext, nothing but what listening takes", async ({ expect }) => {
    const { files, own } = await loadsOf(command(), false);
    expect(own.filter((name) => dear.test(name))).toEqual([]);
    expect(own.filter((name) => cryptography.test(name))).toEqual([]);
    expect(files.filter((url) => /@bufbuild|@connectrpc|tfplugin|carrier|wire|cty|provider\.ts|definition|server\//.test(url))).toEqual([]);
    // A file more is half a millisecond more.
    if (isBundle) expect(files.length, files.join("\n")).toBeLessThanOrEqual(2);
  });

  test("with AutoMTLS, cryptography and our certificate beside it", async ({ expect }) => {
    const { files, own } = await loadsOf(command(), true);
    expect(own.filter((name) => dear.test(name))).toEqual([]);
    expect(own.some((name) => cryptography.test(name))).toBe(true);
    expect(files.filter((url) => /@bufbuild|@connectrpc|tfplugin|carrier|wire|cty|provider\.ts|definition|server\//.test(url))).toEqual([]);
    if (isBundle) expect(files.length, files.join("\n")).toBeLessThanOrEqual(3);
  });
});

test("after it, a bundled provider loads the messages of one protocol and none of Node's HTTP, to its very end", async ({ expect }) => {
  const recorded = join(folder, "whole.json");
  const [node = "", ...args] = bundled.command;
  const preload = join(import.meta.dirname, "..", "..", "test", "record-loads.cjs");
  await using hosted = await host([node, "--require", preload, ...args], { environment: { RECORDED_LOADS: recorded } });
  await hosted.configure("label");
  await hosted.create("half");
  // Something to cut off.
  const hanging = hosted.create("hang").catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 200));
  await hosted.shutDown();
  await hanging;
  await hosted.process.ended;
  const { files, own } = JSON.parse(readFileSync(`${recorded}.end`, "utf8")) as Loads;
  const texts = files.filter((url) => url.startsWith("file:")).map((url) => readFileSync(new URL(url), "utf8"));
  const described = (name: string): number => texts.filter((text) => text.includes(`${name}.PlanResourceChange.Request`)).length;
  expect([described("tfplugin6"), described("tfplugin5")]).toEqual([1, 0]);
  // The encoded description of descriptions begins so.
  expect(texts.filter((text) => text.includes("google/protobuf/descriptor.proto"))).toEqual([]);
  expect(
    own.filter((name) =>
      /NativeModule (internal\/)?(http2|https?|_http_|zlib|undici|internal\/deps\/undici|deps\/undici|perf_hooks)/.test(name),
    ),
  ).toEqual([]);
});
