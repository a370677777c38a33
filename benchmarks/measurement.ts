// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** One row: the same task for Tenon and a peer, in one run. */
export interface Measurement {
  readonly name: string;
  readonly ours: number;
  readonly peer: number;
  /** Unit: `ms`, `µs`, `KB`, `MiB`, or `/s` for a rate. */
  readonly unit: string;
}

/** Prints a row for each measurement and writes the rows as JSON. A lower ratio is better. */
export function report(area: string, measurements: readonly Measurement[]): void {
  const rows = measurements.map((row) => ({ ...row, ratio: row.unit === "/s" ? row.peer / row.ours : row.ours / row.peer }));
  for (const { name, ours, peer, unit, ratio } of rows) {
    console.log(`${name} ours=${round(ours)}${unit} peer=${round(peer)}${unit} ratio=${ratio.toFixed(2)}`);
  }
  const folder = join(import.meta.dirname, "..", ".tenon", "benchmarks");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${area}.json`), `${JSON.stringify({ area, node: process.version, rows }, undefined, 2)}\n`);
}

/**
 * Runs several measurements in turn, repeatedly, and returns the median of each. Taking turns spreads other load on the machine over
 * all of them.
 */
export async function medians<Name extends string>(
  runs: number,
  measured: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(measured) as Name[];
  const taken = new Map<Name, number[]>(names.map((name) => [name, []]));
  // The first round fills caches and does not count.
  for (let run = -1; run < runs; run += 1) {
    for (const name of names) {
      const value = await measured[name]();
      if (run >= 0) taken.get(name)?.push(value);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(taken.get(name) ?? [])])) as Record<Name, number>;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

function round(value: number): string {
  return Number(value.toPrecision(4)).toString();
}
