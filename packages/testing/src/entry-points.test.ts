// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { test } from "vitest";

/** Returns the files that an entry point loads, in a new process. */
function loadedBy(entryPoint: string): readonly string[] {
  const program = `
    import { registerHooks } from "node:module";
    const urls = [];
    registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
    await import(${JSON.stringify(new URL(entryPoint, import.meta.url).href)});
    console.log(JSON.stringify(urls));
  `;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" })) as readonly string[];
}

test("the main entry point loads nothing of the world outside", ({ expect }) => {
  const loaded = loadedBy("./index.ts");
  expect(loaded.some((url) => url.endsWith("/testing/src/case/run-test-case.ts"))).toBe(true);
  expect(loaded.filter((url) => /testing\/src\/(http|names|sweep|echo|recorded)\/|^node:https?$/.test(url))).toEqual([]);
});
