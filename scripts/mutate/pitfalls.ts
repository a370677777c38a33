// SPDX-License-Identifier: Apache-2.0
// `npm run mutate -- pitfalls`: breaks the host's handling of each pitfall, one at a time, in a copy of the packages, and
// expects the test with the pitfall's number to fail. `--only 9,13` selects some.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hostPitfalls } from "./rules/host-pitfalls.ts";
import { printVerdicts } from "./print-verdicts.ts";
import { runMutations } from "./run-mutations.ts";

const { values } = parseArgs({ options: { only: { type: "string" } } });
const only = values.only?.split(",");
const mutations = hostPitfalls.filter(({ rule }) => only === undefined || only.includes(rule));

const start = performance.now();
const packages = ["cty", "hcl", "protocol", "schema", "plugin-host"];
const verdicts = await runMutations(join(import.meta.dirname, "../.."), packages, mutations, (_mutation, { kind }) =>
  process.stderr.write(kind === "killed" ? "." : "x"),
);
process.stderr.write("\n");
const failed = printVerdicts([...verdicts].toSorted(([a], [b]) => Number(a.rule) - Number(b.rule)));
console.log(`\n${verdicts.size - failed} killed, ${failed} not, in ${Math.round((performance.now() - start) / 1000)} s`);
process.exitCode = failed > 0 ? 1 : 0;
