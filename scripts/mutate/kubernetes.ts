// SPDX-License-Identifier: Apache-2.0
// `npm run mutate -- kubernetes`: breaks each rule of the reconciler of custom resources, one at a time, in a copy of the packages, and expects a
// test over a real API server to fail. Needs the peers kube-apiserver and etcd. `--only pause,drift` selects some.
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Mutation, Verdict } from "./mutation.ts";
import { printVerdicts } from "./print-verdicts.ts";
import { kubernetesRules } from "./rules/kubernetes-rules.ts";
import { runMutations } from "./run-mutations.ts";

const { values } = parseArgs({ options: { only: { type: "string" } } });
const only = values.only?.split(",");
const mutations = kubernetesRules.filter(({ rule }) => only === undefined || only.includes(rule));

const start = performance.now();
const folders = [
  ..."cty hcl protocol schema provider-sdk plugin-host bridge".split(" "),
  "apps/examples/notebook",
  "tests/interop",
  "tests/peers",
];
// Prints each verdict when it is known: the whole run takes minutes.
const onVerdict = ({ rule }: Mutation, { kind }: Verdict): void => console.log(`${kind === "killed" ? "killed" : "NOT"}  ${rule}`);
// A test that waits for an event that a mutation prevents fails by its time limit.
const options = { links: ["tests/peers/.build"], testTimeoutMs: 60_000, timeLimitMs: 300_000 };
const verdicts = await runMutations(join(import.meta.dirname, "../.."), folders, mutations, onVerdict, options);
const failed = printVerdicts([...verdicts]);
console.log(`\n${verdicts.size - failed} killed, ${failed} not, in ${Math.round((performance.now() - start) / 1000)} s`);
process.exitCode = failed > 0 ? 1 : 0;
