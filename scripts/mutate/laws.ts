// SPDX-License-Identifier: Apache-2.0
// `npm run mutate -- laws`: breaks each rule of the protocol that a provider can break in its resources, one at a time, in a copy of the
// packages, and checks the resources of `tests/interop/testing/law-subjects.ts` with the defaults of `checkResource`. Prints which law found each mutation, and
// those that none found. Fails if fewer than 80 % are found. `--only 15,23` selects some rules. `rules/beyond-laws.ts` says which mutations count.
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Mutation, Verdict } from "./mutation.ts";
import { noFaults, notFound, type LeftOut } from "./rules/beyond-laws.ts";
import { providerRules } from "./rules/provider-rules.ts";
import { runLawMutations } from "./run-law-mutations.ts";

const goal = 0.8;
const program = "tests/interop/testing/check-law-subjects.ts";
/** Rules about definitions (6 to 9), which no loaded provider can break, and about other things than resources. */
const isOfResources = (rule: number): boolean => rule >= 10 && rule !== 12 && rule !== 31 && (rule < 39 || rule > 43) && rule <= 48;

const { values } = parseArgs({ options: { only: { type: "string" } } });
const only = values.only?.split(",");
const isListed = (mutation: Mutation, list: readonly LeftOut[]): boolean =>
  list.some(({ rule, search }) => mutation.rule === rule && mutation.search.startsWith(search));
for (const listed of [...noFaults, ...notFound]) {
  const count = providerRules.filter((mutation) => isListed(mutation, [listed])).length;
  if (count !== 1) throw new Error(`rules/beyond-laws.ts: ${count} mutations of rule ${listed.rule} begin with ${listed.search}`);
}
const mutations = providerRules
  .filter(({ rule, file }) => isOfResources(Number(rule)) && !file.includes("/wire/"))
  .filter((mutation) => !isListed(mutation, noFaults))
  .filter(({ rule }) => only === undefined || only.includes(rule));

const start = performance.now();
const folders = [
  ..."cty protocol hcl schema provider-sdk plugin-host engine testing".split(" "),
  "tests/conformance",
  "tests/interop",
  "apps/examples/notebook",
];
// Prints each verdict when it is known: the whole run takes minutes.
const onVerdict = (mutation: Mutation, verdict: Verdict): void =>
  console.log(`rule ${mutation.rule.padEnd(3)} ${shown(verdict).padEnd(26)} ${change(mutation)}`);
const verdicts = await runLawMutations(join(import.meta.dirname, "../.."), folders, program, mutations, onVerdict);

const rows = [...verdicts].toSorted(([a], [b]) => Number(a.rule) - Number(b.rule));
const found = rows.filter(([, { kind }]) => kind === "killed").length;
const unusable = rows.filter(([, { kind }]) => kind === "unusable").length;
console.log("\nNot found by any law:");
for (const [mutation, { kind }] of rows) {
  if (kind === "killed") continue;
  const reason = notFound.find((listed) => isListed(mutation, [listed]))?.reason ?? "no reason in rules/beyond-laws.ts";
  console.log(`  rule ${mutation.rule.padEnd(3)} ${change(mutation)}\n           ${reason}`);
}
const share = found / rows.length;
console.log(`\n${found} of ${rows.length} found (${Math.round(share * 100)} %), in ${Math.round((performance.now() - start) / 1000)} s`);
process.exitCode = unusable > 0 || (only === undefined && share < goal) ? 1 : 0;

function shown(verdict: Verdict): string {
  if (verdict.kind === "survived") return "-";
  if (verdict.kind === "unusable") return `unusable: ${verdict.why}`;
  const laws = verdict.messages.flatMap((message) => /^([a-z]+(?:-[a-z]+)+): /m.exec(message)?.[1] ?? []);
  return laws[0] ?? "another failure";
}

function change({ file, search }: Mutation): string {
  return `${file.split("/").at(-1)!}: ${search.trim().split("\n")[0]!.slice(0, 90)}`;
}
