// SPDX-License-Identifier: Apache-2.0
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Returns the modules that an entry point loads, in a new process. */
async function loadedBy(entry: string): Promise<readonly string[]> {
  const program = `
    import { registerHooks } from "node:module";
    registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) });
    await import(${JSON.stringify(new URL(entry, import.meta.url).href)});`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
  });
  return stdout.trim().split("\n");
}

test.for([
  ["./v5/index.ts", "tfplugin5", "tfplugin6"],
  ["./v6/index.ts", "tfplugin6", "tfplugin5"],
] as const)("%s loads the messages of %s and not those of %s", async ([entry, own, other]) => {
  const loaded = await loadedBy(entry);
  expect(loaded.filter((url) => url.endsWith(`${own}_pb.ts`))).toHaveLength(1);
  expect(loaded.filter((url) => url.includes(other))).toEqual([]);
});

test.for(["../index.ts", "../change/index.ts", "../lifecycle/index.ts"])(
  "%s loads no protobuf, no Connect and no wire module",
  async (entry) => {
    const loaded = await loadedBy(entry);
    expect(loaded.length).toBeGreaterThan(5);
    expect(loaded.filter((url) => /@bufbuild|@connectrpc|\/src\/wire\/|\/protocol\/src\//.test(url))).toEqual([]);
  },
);
