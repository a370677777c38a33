// SPDX-License-Identifier: Apache-2.0
// Bundle size of all of @tenon/cty and its msgpack, and the time to import the bundle.
//
//   npm run bench -- cty-size [--runs 60]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ctyBundle, ctyLimit } from "@tenon/packages/cty-bundle";
import { median, report } from "./measurement.ts";

const { values: options } = parseArgs({ options: { runs: { type: "string", default: "60" } } });

const { code, size, tables, files } = await ctyBundle();
for (const [file, bytes] of files.slice(0, 12)) console.log(`${String(bytes).padStart(7)}  ${file}`);
console.log(`${size} bytes minified and ${tables} of Unicode tables; the limit is ${ctyLimit}`);

const folder = mkdtempSync(join(tmpdir(), "tenon-cty-size-"));
try {
  const bundle = join(folder, "bundle.mjs");
  writeFileSync(bundle, code);
  const taken = { bare: [] as number[], bundle: [] as number[] };
  // Without Node's compile cache.
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const start = (args: readonly string[]): number => {
    const begun = performance.now();
    const { status } = spawnSync(process.execPath, args, { stdio: "ignore", env });
    if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}`);
    return performance.now() - begun;
  };
  for (let run = 0; run < Number(options.runs); run++) {
    taken.bare.push(start(["-e", "0"]));
    taken.bundle.push(start([bundle]));
  }
  const least = { bare: Math.min(...taken.bare), bundle: Math.min(...taken.bundle) };
  const over = median(taken.bundle.map((ms, run) => ms - taken.bare[run]!));
  console.log(
    `import over bare Node: ${over.toFixed(1)} ms at the median of pairs, ${(least.bundle - least.bare).toFixed(1)} ms at the least`,
  );
  report("cty-size", [
    { name: "bundle", ours: size / 1000, peer: ctyLimit / 1000, unit: "KB" },
    { name: "import, against node -e 0", ours: median(taken.bundle), peer: median(taken.bare), unit: "ms" },
    { name: "import, the least, against node -e 0", ours: least.bundle, peer: least.bare, unit: "ms" },
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
