// SPDX-License-Identifier: Apache-2.0
// Runs every reader of @tenon/hcl on damaged and random sources, and prints the trees that were read:
// npm run fuzz -- hcl-malformed --cases 20000
// Then reads and writes sources that provoke long times: twice the input may take at most 2.5 times as long.
import { parseConfig, parseExpression, parseJson, parseTemplate } from "@tenon/hcl";
import { parseArgs } from "node:util";
import { randomFor } from "@tenon/testing/generate";
import { printingFamilies } from "../hcl/printing-families.ts";
import { families, type Family } from "../hcl/syntax-families.ts";
import { writingFamilies, type WritingFamily } from "../hcl/writing-families.ts";
import { malformedInput, tryMalformed, type MalformedInput } from "../hcl/syntax-malformed.ts";

const { values: options } = parseArgs({
  options: { cases: { type: "string", default: "20000" }, seed: { type: "string" }, only: { type: "string" } },
});
const seed = options.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(options.seed);
console.log(`seed ${seed}`);

let passed = 0;
let failed = 0;
let slowest = 0;
let printedTrees = 0;
const kinds = new Map<string, number>();
const failures = new Map<string, string>();
const [from, to] = options.only === undefined ? [0, Number(options.cases)] : [Number(options.only), Number(options.only) + 1];
const start = performance.now();
for (let index = from; index < to; index++) {
  const input = malformedInput(randomFor(seed, "hcl-malformed", index));
  kinds.set(input.kind, (kinds.get(input.kind) ?? 0) + 1);
  const before = performance.now();
  const { problem, printed } = tryMalformed(input);
  printedTrees += printed;
  slowest = Math.max(slowest, performance.now() - before);
  if (problem === undefined) passed += 1;
  else {
    failed += 1;
    const sort = problem.replace(/\d+/g, "0").split("\n").slice(0, 2).join(" ");
    if (!failures.has(sort))
      failures.set(
        sort,
        `${problem}\n  input  ${shown(smallest(input))}\n  again  npm run fuzz -- hcl-malformed --seed ${seed} --only ${index}`,
      );
  }
}
const seconds = (performance.now() - start) / 1000;
for (const [kind, count] of kinds) console.log(`${kind.padEnd(20)} ${count} cases`);
console.log(`${printedTrees} trees of sources without errors were printed and read again`);
console.log(
  `${seconds.toFixed(1)} s, our slowest took ${slowest.toFixed(0)} ms, ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB at most`,
);
for (const failure of failures.values()) console.log(failure);

if (options.only === undefined) {
  for (const family of [...families.map(reading), ...writingFamilies, ...printingFamilies]) {
    const ratio = growth(family);
    const isFine = ratio <= 2.5;
    if (isFine) passed += 1;
    else failed += 1;
    console.log(`${isFine ? "linear" : "SLOW  "}  ${family.name.padEnd(28)} twice the input takes ${ratio.toFixed(2)} times as long`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;

/** Removes pieces of the input as long as the failure remains. */
function smallest(input: MalformedInput): MalformedInput {
  let best = input;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    const { source } = best;
    for (let span = source.length >> 1; span > 0 && !isSmaller; span >>= 1) {
      for (let at = 0; at + span <= source.length; at += span) {
        const less: MalformedInput = { kind: best.kind, source: without(source, at, span) };
        if (tryMalformed(less).problem === undefined) continue;
        best = less;
        isSmaller = true;
        break;
      }
    }
  }
  return best;
}

function without(source: string | Uint8Array, at: number, span: number): string | Uint8Array {
  if (typeof source === "string") return source.slice(0, at) + source.slice(at + span);
  return Buffer.concat([source.subarray(0, at), source.subarray(at + span)]);
}

function shown({ source }: MalformedInput): string {
  return typeof source === "string" ? JSON.stringify(source) : `0x${Buffer.from(source).toString("hex")}`;
}

function reading({ name, make, syntax }: Family): WritingFamily {
  const parse = { config: parseConfig, expression: parseExpression, template: parseTemplate, json: parseJson }[syntax];
  return { name, make, write: (source) => parse(source, "") };
}

/**
 * Measures the ratio of processor times for twice the input: the smallest of several tries, because other load and garbage
 * collection disturb single ones.
 */
function growth({ make, write }: WritingFamily): number {
  const size = 1 << 16;
  const [small, large] = [make(size), make(2 * size)];
  const time = (source: string): number => {
    let least = Infinity;
    for (let round = 0; round < 5; round++) {
      const before = process.cpuUsage();
      write(source);
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, user + system);
    }
    return least;
  };
  time(small);
  let best = Infinity;
  for (let round = 0; round < 8 && best > 2.2; round++) best = Math.min(best, time(large) / time(small));
  return best;
}
