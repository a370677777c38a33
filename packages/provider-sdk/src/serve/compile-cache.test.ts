// SPDX-License-Identifier: Apache-2.0
// Tests, with real processes, the folder of the compile cache. Node runs the code in it, so other users must not have access.
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import { useBundledProvider } from "../../test/bundled-fixture.ts";
import { host } from "../../test/hosted-process.ts";

const bundled = useBundledProvider();
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-cache-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a provider until it has answered a call and Node has stored the compiled code. */
async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
  await using hosted = await host(bundled.command, { environment: { NODE_COMPILE_CACHE: undefined, ...environment } });
  await hosted.provider.getProviderSchema({});
}

const cacheOf = (base: string): string => join(base, "tenon", "compile-cache");
const isRoot = process.getuid?.() === 0;

describe("the compile cache", () => {
  test("is in a private folder of the user, not in the temporary folder", async ({ expect }) => {
    const [cache, temporary] = [join(folder, "cache"), join(folder, "tmp")];
    mkdirSync(temporary);
    await serve({ XDG_CACHE_HOME: cache, TMPDIR: temporary });
    expect(readdirSync(cacheOf(cache))).not.toEqual([]);
    expect(lstatSync(cacheOf(cache)).mode & 0o777).toBe(0o700);
    // The process was killed, so its socket file remains.
    expect(readdirSync(temporary).filter((name) => !name.startsWith("plugin"))).toEqual([]);
  });

  test("is in the home folder if XDG_CACHE_HOME is a relative path", async ({ expect }) => {
    await serve({ XDG_CACHE_HOME: "relative", HOME: folder });
    expect(readdirSync(cacheOf(join(folder, ".cache")))).not.toEqual([]);
  });

  test.for<[string, (base: string) => void]>([
    ["other users can write to", (base) => chmodSync(cacheOf(base), 0o777)],
    ["other users can read", (base) => chmodSync(cacheOf(base), 0o755)],
    ["is inside a folder that other users can write to", (base) => chmodSync(join(base, "tenon"), 0o777)],
    [
      "is a symbolic link",
      (base) => {
        rmSync(cacheOf(base), { recursive: true });
        mkdirSync(join(folder, "target"), { mode: 0o700 });
        symlinkSync(join(folder, "target"), cacheOf(base));
      },
    ],
  ])("does not use a folder that %s", async ([, spoil], { expect }) => {
    const base = join(folder, "cache");
    mkdirSync(cacheOf(base), { recursive: true, mode: 0o700 });
    spoil(base);
    await serve({ XDG_CACHE_HOME: base });
    expect(readdirSync(cacheOf(base))).toEqual([]);
  });

  test("does not use a folder of another user", async ({ expect, skip }) => {
    if (!isRoot) skip("only root can change the owner of a folder");
    const base = join(folder, "cache");
    mkdirSync(cacheOf(base), { recursive: true, mode: 0o700 });
    chownSync(cacheOf(base), 12_345, 12_345);
    await serve({ XDG_CACHE_HOME: base });
    expect(readdirSync(cacheOf(base))).toEqual([]);
  });

  test("is disabled by NODE_DISABLE_COMPILE_CACHE", async ({ expect }) => {
    const base = join(folder, "cache");
    await serve({ XDG_CACHE_HOME: base, NODE_DISABLE_COMPILE_CACHE: "1" });
    expect(() => readdirSync(cacheOf(base))).toThrow("ENOENT");
  });
});
