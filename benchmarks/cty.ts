// SPDX-License-Identifier: Apache-2.0
// Times of the main operations of @tenon/cty and go-cty on the same bytes.
//
//   npm run bench -- cty [--runs 9] [--only number-text]
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { number, same, set, setOf, string, type Type, type Value } from "@tenon/cty";
import { hasElement } from "@tenon/cty/operators";
import { add, divide, multiply, subtract } from "@tenon/cty/operators";
import { convert } from "@tenon/cty/convert";
import * as json from "@tenon/cty/json";
import * as msgpack from "@tenon/cty/msgpack";
import { numberFromText, numberText, type NumberPayload, valueOf } from "@tenon/cty/unstable/payload";
import { requirePeer } from "@tenon/peers";
import { decimals, known60, list10k, map1mb, object60, strings10k } from "./cty-samples.ts";
import { type Measurement, medians, report } from "./measurement.ts";

/** Duration of one measurement of one side, in milliseconds. */
const turn = 300;

interface Row {
  readonly name: string;
  /** Name of go-cty's counterpart in tests/peers/cty-oracle/bench.go. */
  readonly peer: Readonly<Record<string, unknown>>;
  readonly run: () => unknown;
  /** Result as text, which must equal the peer's. */
  readonly result: () => string;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const typeJson = (type: Type): unknown => JSON.parse(json.encodeType(type));

/** Rows for encoding and decoding one value. */
function codecRows(sample: string, value: Value, format: "msgpack" | "json"): Row[] {
  const { type } = value;
  const bytes = msgpack.encode(value, type);
  const given = { type: typeJson(type), msgpack: hex(bytes) };
  if (format === "msgpack") {
    return [
      {
        name: `msgpack-decode-${sample}`,
        peer: { task: "msgpack-decode", ...given },
        run: () => msgpack.decode(bytes, type),
        result: () => hex(msgpack.encode(msgpack.decode(bytes, type), type)),
      },
      {
        name: `msgpack-encode-${sample}`,
        peer: { task: "msgpack-encode", ...given },
        run: () => msgpack.encode(value, type),
        result: () => hex(msgpack.encode(value, type)),
      },
    ];
  }
  // A plugin receives bytes.
  const text = Buffer.from(json.encode(value, type));
  return [
    {
      name: `json-decode-${sample}`,
      peer: { task: "json-decode", ...given },
      run: () => json.decode(text, type),
      result: () => hex(msgpack.encode(json.decode(text, type), type)),
    },
    {
      name: `json-encode-${sample}`,
      peer: { task: "json-encode", ...given },
      run: () => json.encode(value, type),
      result: () => json.encode(value, type),
    },
  ];
}

function equalsRow(value: Value): Row {
  const bytes = msgpack.encode(value, value.type);
  const [a, b] = [msgpack.decode(bytes, value.type), msgpack.decode(bytes, value.type)];
  return {
    name: "equals-object60",
    peer: { task: "equals", type: typeJson(value.type), msgpack: hex(bytes) },
    run: () => same(a, b),
    result: () => String(same(a, b)),
  };
}

/** Converts from the types that JSON implies without a schema: objects and tuples. */
function convertRow(value: Value): Row {
  const text = json.encode(value, value.type);
  const from = json.impliedType(text);
  const bytes = msgpack.encode(json.decode(text, from), from);
  const literal = msgpack.decode(bytes, from);
  return {
    name: "convert-object60",
    peer: { task: "convert", type: typeJson(value.type), from: typeJson(from), msgpack: hex(bytes) },
    run: () => convert(literal, value.type),
    result: () => hex(msgpack.encode(convert(literal, value.type), value.type)),
  };
}

function setRows(): Row[] {
  const elements = strings10k.map((text) => valueOf(string, text));
  const whole = setOf(elements);
  const wanted = elements[elements.length / 2]!;
  return [
    {
      name: "set-10k-strings",
      peer: { task: "set", texts: strings10k },
      run: () => setOf(elements),
      result: () => hex(msgpack.encode(setOf(elements), set(string))),
    },
    {
      name: "set-has-element",
      peer: { task: "set-has-element", texts: strings10k },
      run: () => hasElement(whole, wanted),
      result: () => JSON.stringify(hasElement(whole, wanted).payload),
    },
  ];
}

function arithmetic(numbers: readonly Value[]): Value {
  let sum: Value = valueOf(number, 0);
  for (let index = 1; index < numbers.length; index++) {
    const [a, b] = [numbers[index - 1]!, numbers[index]!];
    sum = add(add(add(add(sum, add(a, b)), subtract(a, b)), multiply(a, b)), divide(a, b));
  }
  return sum;
}

function texts(numbers: readonly Value[]): string {
  let last = "";
  for (let index = 1; index < numbers.length; index++)
    last = numberText(add(numbers[index - 1]!, numbers[index]!).payload as NumberPayload);
  return last;
}

function bitsOf(value: Value): string {
  const payload = value.payload as NumberPayload;
  if (typeof payload === "number") return String(payload);
  const { negative, mantissa, exponent } = payload.binary;
  const length = mantissa.toString(2).length;
  const digits = (mantissa << BigInt((4 - (length % 4)) % 4)).toString(16).replace(/0+$/, "");
  return `${negative ? "-" : ""}0x.${digits}p${exponent + length < 0 ? "" : "+"}${exponent + length}`;
}

function numberRows(): Row[] {
  const numbers = decimals.map((text) => valueOf(number, numberFromText(text)!));
  return [
    {
      name: "number-arithmetic",
      peer: { task: "number-arithmetic", texts: decimals },
      run: () => arithmetic(numbers),
      result: () => bitsOf(arithmetic(numbers)),
    },
    { name: "number-text", peer: { task: "number-text", texts: decimals }, run: () => texts(numbers), result: () => texts(numbers) },
  ];
}

/**
 * Measures nanoseconds per run, over as many runs as fit into one measurement. Counts the processor time of this thread, so that neither
 * other processes nor garbage collection on other threads count; the peer measures the same.
 */
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

/** Keeps results alive, so that V8 cannot remove the work. */
export let sink: unknown;

/** go-cty in its own process; it serves one request at a time. */
function openPeer(): { ask: (question: object) => Promise<Record<string, unknown>>; close: () => void } {
  const child = spawn(requirePeer("cty-oracle").path, ["-bench"], { stdio: ["pipe", "pipe", "inherit"] });
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

/** Measures the heap memory of a decoded object in a process without automatic garbage collection. */
function allocationOfObject60(): { readonly allocated: number; readonly kept: number } {
  const flags = ["--expose-gc", "--min-semi-space-size=256", "--max-semi-space-size=256"];
  const output = execFileSync(process.execPath, [...flags, join(import.meta.dirname, "cty-allocation.ts")], { encoding: "utf8" });
  return JSON.parse(output) as ReturnType<typeof allocationOfObject60>;
}

const { values: options } = parseArgs({ options: { runs: { type: "string", default: "9" }, only: { type: "string" } } });
const rows = [
  ...codecRows("object60", object60(), "msgpack"),
  ...codecRows("list10k", list10k(), "msgpack"),
  ...codecRows("map1mb", map1mb(), "msgpack").slice(0, 1),
  ...codecRows("object60", known60(), "json"),
  equalsRow(object60()),
  convertRow(known60()),
  ...setRows(),
  ...numberRows(),
].filter(({ name }) => options.only === undefined || name === options.only);

const peer = openPeer();
const measurements: Measurement[] = [];
for (const { name, peer: task, run, result } of rows) {
  const theirs = (await peer.ask({ name, ...task }))["result"] as string;
  const ours = result();
  if (theirs !== ours) throw new Error(`${name}: the results differ\nours ${ours.slice(0, 400)}\npeer ${theirs.slice(0, 400)}`);
  const taken = await medians(Number(options.runs), {
    ours: () => Promise.resolve(timed(run)),
    peer: async () => (await peer.ask({ name, task: task["task"], ms: turn }))["ns"] as number,
  });
  const [unit, scale] = taken.peer > 1e6 ? (["ms", 1e6] as const) : (["µs", 1e3] as const);
  measurements.push({ name, ours: taken.ours / scale, peer: taken.peer / scale, unit });
  if (name === "msgpack-decode-object60") {
    const { allocated, kept } = allocationOfObject60();
    const theirs = (await peer.ask({ name, task: task["task"], ms: turn }))["bytes"] as number;
    measurements.push({ name: "allocated-object60", ours: allocated / 1000, peer: theirs / 1000, unit: "KB" });
    console.log(`a decoded object of 60 attributes keeps ${(kept / 1000).toFixed(1)} KB`);
  }
}
peer.close();
report("cty", measurements);
