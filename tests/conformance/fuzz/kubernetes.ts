// SPDX-License-Identifier: Apache-2.0
// Random resource types as custom resources of a real API server: npm run fuzz -- kubernetes --cases 20000 [--objects 40] [--seed 7] [--from 0]
import { parseArgs } from "node:util";
import { requirePeer } from "@tenon/peers";
import { KubernetesServer } from "@tenon/peers/kubernetes";
import { createReport, tryCases } from "../kubernetes/trial.ts";

const { values: options } = parseArgs({
  options: {
    cases: { type: "string", default: "1000" },
    // Objects of each schema.
    objects: { type: "string", default: "40" },
    seed: { type: "string" },
    // Number of the first schema.
    from: { type: "string", default: "0" },
  },
});
const seed = options.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(options.seed);
const objects = Number(options.objects);
console.log(`seed ${seed}`);

/** Schemas after which a new server is started: a server keeps memory for every definition that it has ever had. */
const schemasPerServer = 400;
const programs = { "kube-apiserver": requirePeer("kube-apiserver"), etcd: requirePeer("etcd") };
const report = createReport();
const start = performance.now();
const last = Number(options.from) + Math.ceil(Number(options.cases) / objects);
for (let from = Number(options.from); from < last; from += schemasPerServer) {
  await using server = await KubernetesServer.start(programs);
  await tryCases(report, server, { seed, from, schemas: Math.min(schemasPerServer, last - from), objects });
}
for (const [outcome, count] of [...report.outcomes].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`${String(count).padStart(7)}  ${outcome}`);
console.log(`${report.definitions} definitions, ${((performance.now() - start) / 1000).toFixed(1)} s`);
for (const failure of report.failures.slice(0, 20)) console.log(failure);
console.log(`${report.passed} passed, ${report.failures.length} failed`);
process.exitCode = report.failures.length === 0 ? 0 : 1;
