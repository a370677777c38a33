// SPDX-License-Identifier: Apache-2.0
// Tests which modules are loaded before the handshake line. Unlike start-up times, this does not depend on the machine.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { useBundledProvider } from "../../test/bundled-fixture.ts";
import { fixture, host } from "../../test/hosted-process.ts";

const bundled = useBundledProvider();

interface Loads {
  /** The provider's files, in order. */
  readonly files: readonly string[];
  /** Node's own modules. */
  readonly own: readonly string[];
}

async function loadsOf(command: readonly string[], tls: boolean): Promise<Loads> {
  const recorded = join(bundled.folder, "loads.json");
  const [node = "", ...args] = command;
  const preload = join(import.meta.dirname, "..", "..", "test", "record-loads.cjs");
  await using hosted = await host([node, "--require", preload, ...args], { tls, environment: { RECORDED_LOADS: recorded } });
  const loads = JSON.parse(readFileSync(recorded, "utf8")) as Loads;
  // Modules that are not loaded before the line are loaded after it.
  await hosted.provider.getProviderSchema({});
  return loads;
}

/** Modules of Node that are slow to load: they must not be loaded before the handshake line. */
const slowModules = /NativeModule (internal\/)?(http2|https?|_http_|tls|_tls_|zlib|undici|internal\/deps\/undici|worker_threads)/;
const cryptography = /NativeModule (internal\/)?crypto\/(keygen|sig|x509|keys)$|NativeModule crypto$/;

describe.for([true, false])("from a bundle: %s", (isBundle) => {
  const command = (): readonly string[] => (isBundle ? bundled.command : fixture("main.ts"));

  test("in plaintext, only the modules needed to listen", async ({ expect }) => {
    const { files, own } = await loadsOf(command(), false);
    expect(own.filter((name) => slowModules.test(name))).toEqual([]);
    expect(own.filter((name) => cryptography.test(name))).toEqual([]);
    expect(files.filter((url) => /@bufbuild|@connectrpc|tfplugin|carrier|wire|cty|provider\.ts|definition|server\//.test(url))).toEqual([]);
    // Each additional file takes half a millisecond.
    if (isBundle) expect(files.length, files.join("\n")).toBeLessThanOrEqual(2);
  });

  test("with AutoMTLS, also crypto and the certificate module", async ({ expect }) => {
    const { files, own } = await loadsOf(command(), true);
    expect(own.filter((name) => slowModules.test(name))).toEqual([]);
    expect(own.some((name) => cryptography.test(name))).toBe(true);
    expect(files.filter((url) => /@bufbuild|@connectrpc|tfplugin|carrier|wire|cty|provider\.ts|definition|server\//.test(url))).toEqual([]);
    if (isBundle) expect(files.length, files.join("\n")).toBeLessThanOrEqual(3);
  });
});

test("source maps are read only when a stack is shown", async ({ expect }) => {
  const recorded = join(bundled.folder, "maps");
  const preload = join(bundled.folder, "record-maps.cjs");
  const record = `fs.appendFileSync(${JSON.stringify(recorded)}, path + "\\n")`;
  const program = `const fs = require("node:fs");
    for (const name of ["readFileSync", "openSync", "readFile", "open"]) {
      const original = fs[name];
      fs[name] = (path, ...rest) => (String(path).endsWith(".map") && ${record}, original(path, ...rest));
    }`;
  writeFileSync(preload, program);
  writeFileSync(recorded, "");
  const [node = "", ...args] = bundled.command;
  const command = [node, "--require", preload, ...args];
  await using hosted = await host(command, { environment: { TF_LOG: "WARN" } });
  await hosted.create("task");
  expect(readFileSync(recorded, "utf8")).toBe("");
  await hosted.create("throw");
  expect(readFileSync(recorded, "utf8")).toMatch(/\.mjs\.map\n/);
});

test("after the handshake, a bundled provider loads the messages of one protocol and never Node's HTTP modules", async ({ expect }) => {
  const recorded = join(bundled.folder, "whole.json");
  const [node = "", ...args] = bundled.command;
  const preload = join(import.meta.dirname, "..", "..", "test", "record-loads.cjs");
  await using hosted = await host([node, "--require", preload, ...args], { environment: { RECORDED_LOADS: recorded } });
  const trace = join(bundled.folder, "trace");
  await hosted.configure("label", trace);
  await hosted.create("half");
  // A handler that the shutdown interrupts.
  const hanging = hosted.create("hang").catch(() => {});
  await expect.poll(() => readFileSync(trace, "utf8"), { interval: 10, timeout: 10_000 }).toContain("hang\n");
  await hosted.shutDown();
  await hanging;
  await hosted.process.ended;
  const { files, own } = JSON.parse(readFileSync(`${recorded}.end`, "utf8")) as Loads;
  const texts = files.filter((url) => url.startsWith("file:")).map((url) => readFileSync(new URL(url), "utf8"));
  const described = (name: string): number => texts.filter((text) => text.includes(`${name}.PlanResourceChange.Request`)).length;
  expect([described("tfplugin6"), described("tfplugin5")]).toEqual([1, 0]);
  // Start of the encoded descriptor of descriptor.proto.
  expect(texts.filter((text) => text.includes("google/protobuf/descriptor.proto"))).toEqual([]);
  expect(
    own.filter((name) =>
      /NativeModule (internal\/)?(http2|https?|_http_|zlib|undici|internal\/deps\/undici|deps\/undici|perf_hooks)/.test(name),
    ),
  ).toEqual([]);
});
