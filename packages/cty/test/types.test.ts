// SPDX-License-Identifier: Apache-2.0
// The cost of types for the compiler. Their results are checked in types/views.ts, which is compiled too.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { test } from "vitest";

const run = promisify(execFile);
const folder = import.meta.dirname;
const root = join(folder, "../../..");

/** The number of type instantiations for a program, and the compiler's output. */
async function compiled(program: string): Promise<{ readonly instantiations: number; readonly errors: string }> {
  const scratch = mkdtempSync(join(tmpdir(), "cty-types-"));
  try {
    const file = join(scratch, "program.ts");
    writeFileSync(file, program);
    writeFileSync(join(scratch, "package.json"), '{ "type": "module" }');
    const compilerOptions = {
      noEmit: true,
      rewriteRelativeImportExtensions: false,
      isolatedDeclarations: false,
      allowImportingTsExtensions: true,
      typeRoots: [join(root, "node_modules/@types")],
    };
    const config = join(scratch, "tsconfig.json");
    writeFileSync(config, JSON.stringify({ extends: join(root, "tsconfig.base.json"), compilerOptions, files: [file] }));
    const { stdout } = await run(join(root, "node_modules/.bin/tsc"), ["-p", config, "--extendedDiagnostics"]).catch(
      (error: { readonly stdout: string }) => error,
    );
    const [, instantiations = ""] = /^Instantiations:\s+(\d+)/m.exec(stdout) ?? [];
    return { instantiations: Number(instantiations), errors: /(^.*error TS.*$)/m.exec(stdout)?.[1] ?? "" };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

const kinds = ["string", "optional(number)", "map(string)", "list(object({ from: number, cidrs: set(string) }))", "tuple(string, bool)"];
const attributes = Array.from({ length: 60 }, (_, index) => `a${index}: ${kinds[index % kinds.length]}`);
const head = `
  import { bool, get, list, map, number, object, of, optional, set, string, toJs, tuple, type Infer, type Input } from ${JSON.stringify(join(folder, "../src/index.ts"))};
  export { bool, get, list, map, number, object, of, optional, set, string, toJs, tuple };`;
const schema = `
  const Resource = object({ ${attributes.join(", ")} });
  export const js = (input: Input<typeof Resource>): Infer<typeof Resource> => toJs(of(Resource, input));
  export const tags: Readonly<Record<string, string | null>> | null | undefined = js({} as Input<typeof Resource>)?.a2;
  export const name: string | null = toJs(get(of(Resource, {} as Input<typeof Resource>), "a0"));`;

/** Maximum number of instantiations. Measured: 6,100. */
const budget = 8000;

test("an object of 60 attributes stays within its budget of instantiations", { timeout: 60_000 }, async ({ expect }) => {
  const [without, withSchema] = await Promise.all([compiled(head), compiled(head + schema)]);
  expect([without.errors, withSchema.errors]).toEqual(["", ""]);
  const cost = withSchema.instantiations - without.instantiations;
  console.log(`60 attributes: ${cost} instantiations`);
  expect(cost).toBeGreaterThan(60);
  expect(cost).toBeLessThan(budget);
});
