// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { test } from "vitest";

/** Returns the files that an entry point loads, in a new process. */
function loadedBy(entryPoint: string): string[] {
  const program = `
    import { registerHooks } from "node:module";
    const urls = [];
    registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
    await import(${JSON.stringify(new URL(entryPoint, import.meta.url).href)});
    console.log(JSON.stringify(urls));
  `;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" })) as string[];
}

test.for(["./index.ts", "./change/index.ts", "./difference/index.ts", "./lifecycle/index.ts"])(
  "%s loads no protobuf and no wire module",
  (entryPoint, { expect }) => {
    const loaded = loadedBy(entryPoint);
    expect(loaded.some((url) => url.endsWith("/cty/src/index.ts"))).toBe(true);
    expect(loaded.filter((url) => /protobuf|connectrpc|packages\/protocol|schema\/src\/wire/.test(url))).toEqual([]);
  },
);
