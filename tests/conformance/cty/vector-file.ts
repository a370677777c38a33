// SPDX-License-Identifier: Apache-2.0
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Answer, Case, Json } from "./notation.ts";

/** A case with what go-cty says of it. */
export interface Vector {
  readonly asked: Case;
  readonly answer: Answer;
}

/** How a file of vectors came to be. */
export interface VectorHeader {
  readonly area: string;
  readonly seed: number;
  /** Makes the file again. */
  readonly command: string;
  /** The oracle's header: the versions that decide its answers. */
  readonly oracle: Readonly<Record<string, string | number>>;
  readonly cases: number;
  /** Cases that were left out because go-cty's answer varies, by operation. */
  readonly varying: Readonly<Record<string, number>>;
}

const folder = join(import.meta.dirname, "vectors");

/** Lines of JSON, compressed: the header, then `{op, args, …answer}` a line. Equal vectors make equal bytes. */
export function writeVectors(header: VectorHeader, vectors: readonly Vector[]): void {
  const lines = [header, ...vectors.map(({ asked, answer }) => ({ ...asked, ...answer }))].map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(join(folder, `${header.area}.jsonl.gz`), gzipSync(lines.join(""), { level: 9 }));
}

export function readVectors(area: string): { header: VectorHeader; vectors: readonly Vector[] } {
  const [first, ...lines] = gunzipSync(readFileSync(join(folder, `${area}.jsonl.gz`)))
    .toString()
    .trimEnd()
    .split("\n");
  const vectors = lines.map((line): Vector => {
    const { op, args, ...answer } = JSON.parse(line) as { op: string; args: readonly Json[] } & Answer;
    return { asked: { op, args }, answer: answer as Answer };
  });
  return { header: JSON.parse(first!) as VectorHeader, vectors };
}
