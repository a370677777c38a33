// SPDX-License-Identifier: Apache-2.0
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { OracleResult, Case, Json } from "./notation.ts";

/** A case with go-cty's answer. */
export interface Vector {
  readonly input: Case;
  readonly answer: OracleResult;
}

/** Header of a file of vectors: its origin. */
export interface VectorHeader {
  readonly area: string;
  readonly seed: number;
  /** Command that generates the file. */
  readonly command: string;
  /** The oracle's header: versions of go-cty, Go and Unicode. */
  readonly oracle: Readonly<Record<string, string | number>>;
  readonly cases: number;
  /** Number of cases by operation that were omitted because go-cty's answer varies. */
  readonly varying: Readonly<Record<string, number>>;
}

const folder = join(import.meta.dirname, "vectors");

/** Compressed lines of JSON: the header, then one `{op, args, …answer}` per line. Equal vectors give equal bytes. */
export function writeVectors(header: VectorHeader, vectors: readonly Vector[]): void {
  const lines = [header, ...vectors.map(({ input, answer }) => ({ ...input, ...answer }))].map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(join(folder, `${header.area}.jsonl.gz`), gzipSync(lines.join(""), { level: 9 }));
}

export function readVectors(area: string): { header: VectorHeader; vectors: readonly Vector[] } {
  const [first, ...lines] = gunzipSync(readFileSync(join(folder, `${area}.jsonl.gz`)))
    .toString()
    .trimEnd()
    .split("\n");
  const vectors = lines.map((line): Vector => {
    const { op, args, ...answer } = JSON.parse(line) as { op: string; args: readonly Json[] } & OracleResult;
    return { input: { op, args }, answer: answer as OracleResult };
  });
  return { header: JSON.parse(first!) as VectorHeader, vectors };
}
