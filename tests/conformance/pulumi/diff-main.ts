// SPDX-License-Identifier: Apache-2.0
// Runs files of detailed differences: npm run pulumi-diffs -- [file …] [--trace]
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runDiffCases } from "./run-diff-cases.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { trace: { type: "boolean", default: false } } });
const files = positionals.length > 0 ? positionals : [join(import.meta.dirname, "diff-cases.json")];
let [passed, failed] = [0, 0];
for (const file of files) {
  for (const { given, changes, detailed, faults, trace } of await runDiffCases(file)) {
    if (faults.length === 0) passed += 1;
    else {
      failed += 1;
      console.error(`${given.name}:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
    }
    if (values.trace) console.log(JSON.stringify({ name: given.name, changes, detailed, ...trace }));
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
