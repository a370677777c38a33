// SPDX-License-Identifier: Apache-2.0
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** The modules that importing an entry point loads, in a process of its own. */
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
] as const)("%s loads the messages of %s, and not those of %s", async ([entry, own, other]) => {
  const loaded = await loadedBy(entry);
  expect(loaded.filter((url) => url.endsWith(`${own}_pb.ts`))).toHaveLength(1);
  expect(loaded.filter((url) => url.includes(other))).toEqual([]);
});

test("the entries with no bytes in them load no protobuf and no Connect", async () => {
  for (const entry of ["../index.ts", "../change/index.ts", "../lifecycle/index.ts"]) {
    expect((await loadedBy(entry)).filter((url) => /@bufbuild|@connectrpc|schema\/src\/wire|protocol\/src/.test(url)), entry).toEqual([]);
  }
});
