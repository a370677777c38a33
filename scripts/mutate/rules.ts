// SPDX-License-Identifier: Apache-2.0
// `npm run mutate -- rules`: breaks each of the protocol's rules, and each function of `schema/change`, `schema/difference` and
// `schema/lifecycle`, in a copy of the packages, and expects its test to fail. `--only 15,planChange` selects some.
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as change from "../../packages/schema/src/change/index.ts";
import * as difference from "../../packages/schema/src/difference/index.ts";
import * as lifecycle from "../../packages/schema/src/lifecycle/index.ts";
import type { Mutation } from "./mutation.ts";
import { printVerdicts } from "./print-verdicts.ts";
import { changeFunctions } from "./rules/change-functions.ts";
import { coreRules } from "./rules/core-rules.ts";
import { lifecycleFunctions } from "./rules/lifecycle-functions.ts";
import { providerRules } from "./rules/provider-rules.ts";
import { runMutations } from "./run-mutations.ts";

const root = join(import.meta.dirname, "../..");
const { values } = parseArgs({ options: { only: { type: "string" } } });
const only = values.only?.split(",");
const mutations = [...providerRules, ...coreRules, ...changeFunctions, ...lifecycleFunctions].filter(
  ({ rule }) => only === undefined || only.includes(rule),
);

/** Every rule and function needs at least one mutation. */
const functions = Object.entries({ ...change, ...difference, ...lifecycle }).filter(([, exported]) => typeof exported === "function");
const expected = [...Array.from({ length: 52 }, (_, index) => String(index + 6)), ...functions.map(([name]) => name)];
const unbroken = only === undefined ? expected.filter((rule) => !mutations.some((mutation) => mutation.rule === rule)) : [];

const start = performance.now();
const verdicts = await runMutations(root, ["cty", "protocol", "schema", "provider-sdk"], mutations, (_mutation, { kind }) =>
  process.stderr.write(kind === "killed" ? "." : "x"),
);
process.stderr.write("\n");

const byRule = (a: Mutation, b: Mutation): number => expected.indexOf(a.rule) - expected.indexOf(b.rule);
const rows = [...verdicts].toSorted(([a], [b]) => byRule(a, b));
const failed = printVerdicts(rows);
for (const rule of unbroken) console.log(`${rule}: has no mutation`);
console.log(`\n${rows.length - failed} killed, ${failed + unbroken.length} not, in ${Math.round((performance.now() - start) / 1000)} s`);
process.exitCode = failed + unbroken.length > 0 ? 1 : 0;
