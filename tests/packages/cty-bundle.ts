// SPDX-License-Identifier: Apache-2.0
import { build } from "esbuild";

/** The most that {@link ctyBundle} may take, Unicode tables apart. */
export const ctyLimit = 60_000;

export interface Bundle {
  readonly code: string;
  /** Bytes, those of the tables of Unicode's facts left out. */
  readonly size: number;
  readonly tables: number;
  /** Bytes by source file, the largest first. */
  readonly files: readonly (readonly [file: string, bytes: number])[];
}

/** What a program carries that uses all of `@tenon/cty` and `@tenon/cty/msgpack`: one minified ES module. */
export async function ctyBundle(): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export * from "@tenon/cty"; export * from "@tenon/cty/msgpack";`, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node22",
    metafile: true,
    write: false,
  });
  const [output] = Object.values(metafile.outputs);
  const files = Object.entries(output!.inputs)
    .map(([file, { bytesInOutput }]) => [file.replace(/^.*packages\/cty\/src\//, ""), bytesInOutput] as const)
    .sort(([, one], [, other]) => other - one);
  const tables = files.find(([file]) => file === "ctystrings/unicode-15.ts")?.[1] ?? 0;
  const [{ text: code, contents }] = outputFiles as [(typeof outputFiles)[number]];
  return { code, size: contents.length - tables, tables, files };
}
