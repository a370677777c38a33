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
