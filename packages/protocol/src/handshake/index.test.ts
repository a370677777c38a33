// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { test } from "vitest";

test("loads no network, stream or crypto module of Node", ({ expect }) => {
  const entry = JSON.stringify(new URL("index.ts", import.meta.url).href);
  const program = `
    const before = new Set(process.moduleLoadList);
    const { parseHandshakeLine, negotiateProtocolVersion } = await import(${entry});
    parseHandshakeLine("1|6|unix|/s|grpc|AQID");
    negotiateProtocolVersion("6", [6]);
    console.log(JSON.stringify(process.moduleLoadList.filter((name) => !before.has(name) && /^NativeModule (?!internal)/.test(name))));
  `;
  // Stripping types loads other modules, too, so only the modules that slow down the start are counted.
  const loaded = JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" })) as string[];
  const heavy = /^NativeModule (net|tls|http|https|http2|crypto|zlib|stream|child_process|events|url|undici)\b/;
  expect(loaded.filter((name) => heavy.test(name))).toEqual([]);
});
