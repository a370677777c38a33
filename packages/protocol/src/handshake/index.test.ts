// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { test } from "vitest";

test("loads no module that a bare Node has not loaded", ({ expect }) => {
  const entry = JSON.stringify(new URL("index.ts", import.meta.url).href);
  const program = `
    const before = new Set(process.moduleLoadList);
    const { parseHandshakeLine, negotiateProtocolVersion } = await import(${entry});
    parseHandshakeLine("1|6|unix|/s|grpc|AQID");
    negotiateProtocolVersion("6", [6]);
    console.log(JSON.stringify(process.moduleLoadList.filter((name) => !before.has(name) && /^NativeModule (?!internal)/.test(name))));
  `;
  // Stripping types loads modules of its own, so compare with a file that has types and nothing else to load.
  const loaded = JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" })) as string[];
  const heavy = /^NativeModule (net|tls|http|https|http2|crypto|zlib|stream|child_process|events|url|undici)\b/;
  expect(loaded.filter((name) => heavy.test(name))).toEqual([]);
});
