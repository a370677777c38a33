// SPDX-License-Identifier: Apache-2.0
import { build } from "esbuild";

/** Maximum size of {@link ctyBundle} in bytes, without Unicode tables. */
export const ctyLimit = 60_000;

export interface Bundle {
  readonly code: string;
  /** Size in bytes, without Unicode tables. */
  readonly size: number;
  readonly tables: number;
  /** Sizes in bytes by source file, largest first. */
  readonly files: readonly (readonly [file: string, bytes: number])[];
}

/** Bundles all of `@tenon/cty` and `@tenon/cty/msgpack` as one minified ES module. */
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
  const tables = files.find(([file]) => file === "text/unicode-15.ts")?.[1] ?? 0;
  const [{ text: code, contents }] = outputFiles as [(typeof outputFiles)[number]];
  return { code, size: contents.length - tables, tables, files };
}
