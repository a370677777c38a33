// SPDX-License-Identifier: Apache-2.0
// Times of the main operations of @tenon/hcl and the HCL library for Go on the same texts.
//
//   npm run bench -- hcl [--runs 7] [--only evaluate-100k]
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { dynamic, list, map, number, set, string, type Value } from "@tenon/cty";
import { CtyFunction } from "@tenon/cty/function";
import * as stdlib from "@tenon/cty/stdlib";
import { parseConfig, parseExpression } from "@tenon/hcl";
import { canFunction, createScope, evaluate, tryFunction } from "@tenon/hcl/evaluate";
import { format } from "@tenon/hcl/write";
import { requirePeer } from "@tenon/peers";
// The oracle's notation of values and trees, in which the results of both sides are compared.
import { writeValue } from "@tenon/conformance/cty/notation";
import { writeBody } from "@tenon/conformance/hcl/notation";
import { configuration, expressions, variables } from "./hcl-samples.ts";
import { type Measurement, medians, report } from "./measurement.ts";

/** Duration of one measurement of one side, in milliseconds. */
const turn = 400;
const filename = "main.hcl";
const hash = (json: unknown): string => createHash("sha256").update(JSON.stringify(json)).digest("hex");

interface Row {
  readonly name: string;
  /** Name of the Go library's counterpart in tests/peers/hcl-oracle/bench.go. */
  readonly peer: Readonly<Record<string, unknown>>;
  readonly run: () => unknown;
  /** Result as text, which must equal the peer's. */
  readonly result: () => string;
}

function functionsByName(): Map<string, CtyFunction> {
  const functions = new Map<string, CtyFunction>();
  for (const [name, candidate] of Object.entries(stdlib)) {
    if (candidate instanceof CtyFunction) functions.set(name.toLowerCase().replace(/func$/, ""), candidate);
  }
  functions.set("tostring", stdlib.makeToFunc(string)).set("tonumber", stdlib.makeToFunc(number));
  functions.set("tolist", stdlib.makeToFunc(list(dynamic))).set("toset", stdlib.makeToFunc(set(dynamic)));
  return functions
    .set("tomap", stdlib.makeToFunc(map(dynamic)))
    .set("try", tryFunction)
    .set("can", canFunction);
}

function evaluateRow(): Row {
  const scope = createScope({ variables, functions: functionsByName() });
  const parsed = expressions.map((source) => parseExpression(source, filename).expression);
  const times = Math.round(100_000 / expressions.length);
  const run = (): readonly Value[] => {
    let values: readonly Value[] = [];
    for (let time = 0; time < times; time++) values = parsed.map((expression) => evaluate(expression, scope).value);
    return values;
  };
  const named = Object.entries(variables).map(([name, value]) => [name, writeValue(value)]);
  return {
    name: "evaluate-100k",
    peer: { task: "evaluate", sources: expressions, scope: [{ variables: named, functions: true }], times },
    run,
    result: () => hash(run().map(writeValue)),
  };
}

function parseRow(source: string): Row {
  const run = (): unknown => parseConfig(source, filename);
  return { name: "parse-1mb", peer: { task: "parse", source }, run, result: () => hash(writeBody(parseConfig(source, filename).body)) };
}

function formatRow(source: string): Row {
  return { name: "format-1mb", peer: { task: "format", source }, run: () => format(source), result: () => format(source) };
}

/** Keeps results alive, so that V8 cannot remove the work. */
export let sink: unknown;

/** Measures nanoseconds per run in processor time of this thread, over as many runs as fit into one measurement. */
function timed(run: () => unknown): number {
  for (let rounds = 1; ;) {
    const start = process.threadCpuUsage();
    for (let round = 0; round < rounds; round++) sink = run();
    const { user, system } = process.threadCpuUsage(start);
    const taken = (user + system) / 1000;
    if (taken >= turn) return (taken * 1e6) / rounds;
    rounds = taken < turn / 16 ? rounds * 8 : Math.ceil((rounds * turn) / taken) + 1;
  }
}

/** Measures the bytes that the result of a run keeps alive. */
function kept(run: () => unknown): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heap = (): number => {
    collect();
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  sink = undefined;
  const before = heap();
  sink = run();
  return heap() - before;
}

/** The Go library in its own process; it serves one request at a time. */
function openPeer(): { ask: (question: object) => Promise<Record<string, unknown>>; close: () => void } {
  const child = spawn(requirePeer("hcl-oracle").path, ["-bench"], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout, crlfDelay: Infinity });
  return {
    ask: async (question) => {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      const [line] = (await once(lines, "line")) as [string];
      return JSON.parse(line) as Record<string, unknown>;
    },
    close: () => child.stdin.end(),
  };
}

const { values: options } = parseArgs({ options: { runs: { type: "string", default: "7" }, only: { type: "string" } } });
const source = configuration(1 << 20);
const rows = [parseRow(source), evaluateRow(), formatRow(source)].filter(
  ({ name }) => options.only === undefined || options.only.endsWith(name),
);

const peer = openPeer();
const measurements: Measurement[] = [];
for (const { name, peer: task, run, result } of rows) {
  const theirs = (await peer.ask({ name, ...task }))["result"] as string;
  if (theirs !== result()) throw new Error(`${name}: the results differ`);
  if (options.only === undefined || options.only === name) {
    const taken = await medians(Number(options.runs), {
      ours: () => Promise.resolve(timed(run)),
      peer: async () => (await peer.ask({ name, ms: turn }))["ns"] as number,
    });
    measurements.push({ name, ours: taken.ours / 1e6, peer: taken.peer / 1e6, unit: "ms" });
  }
  if (name === "parse-1mb") {
    const bytes = (await peer.ask({ name, memory: true }))["bytes"] as number;
    measurements.push({ name: "memory-parse-1mb", ours: kept(run) / 2 ** 20, peer: bytes / 2 ** 20, unit: "MiB" });
  }
}
peer.close();
report("hcl", measurements);
