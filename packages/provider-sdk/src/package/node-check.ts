// SPDX-License-Identifier: Apache-2.0
import { basename } from "node:path";
import type { Metafile } from "esbuild";
import type { BundledFile } from "./bundled-file.ts";
import { nodeAdvice, oldestNode } from "./launcher.ts";

/**
 * Code at the start of the files that Node evaluates first. On a Node that is too old, it prints an error to the original standard output,
 * because a CLI shows the first line, and exits.
 *
 * The machine that runs the package, for example another container, may have another Node at the path that the launcher has recorded. The
 * launcher does not check it, because `node --version` takes five milliseconds.
 *
 * The code uses `import()`: an older Node may lack `process.getBuiltinModule`, and an `import` statement takes time on every Node. `await`
 * keeps the rest of the file from being evaluated; a sibling file has a check of its own.
 */
const check = ((): string => {
  const [major, minor] = oldestNode;
  const text = `\`\${process.argv[1]}: \${process.execPath} is Node \${process.versions.node}; ${nodeAdvice}\\n\``;
  const refuse = `(await import("node:fs")).writeSync(+process.env.TENON_HANDSHAKE_FD||1,${text});process.exit(1)`;
  return `{const[a,b]=process.versions.node.split(".");if(+a<${major}||+a==${major}&&+b<${minor}){${refuse}}}\n`;
})();

/**
 * Adds the check of Node's version to the files that Node evaluates before any `import()`: the entry file and the files that it imports
 * statically.
 *
 * @param entry name of the entry file
 */
export function withNodeCheck(files: readonly BundledFile[], entry: string, { outputs }: Metafile): readonly BundledFile[] {
  const imports = new Map(
    Object.entries(outputs).map(([path, output]) => [
      basename(path),
      output.imports.filter(({ kind }) => kind === "import-statement").map(({ path: imported }) => basename(imported)),
    ]),
  );
  const first = new Set([entry]);
  // A set also visits the elements that are added during the iteration.
  for (const name of first) for (const imported of imports.get(name) ?? []) first.add(imported);
  return files.map((file) => {
    if (first.has(file.name)) return { ...file, content: withCheck(file.content) };
    return file.name.endsWith(".map") && first.has(file.name.slice(0, -".map".length))
      ? { ...file, content: shiftedByOneLine(file.content) }
      : file;
  });
}

/** Inserts the check, after a line such as `#!/usr/bin/env node`, which must stay the first one. */
function withCheck(code: Uint8Array): Uint8Array {
  const text = Buffer.from(code).toString();
  const start = text.startsWith("#!") ? text.indexOf("\n") + 1 : 0;
  return Buffer.from(text.slice(0, start) + check + text.slice(start));
}

/** Moves the positions in the generated code down by one line, below the check. */
function shiftedByOneLine(map: Uint8Array): Uint8Array {
  const parsed = JSON.parse(Buffer.from(map).toString()) as { readonly mappings: string };
  return Buffer.from(JSON.stringify({ ...parsed, mappings: `;${parsed.mappings}` }));
}
