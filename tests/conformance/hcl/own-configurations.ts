// SPDX-License-Identifier: Apache-2.0
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/** Every configuration in this repository: files, snippets of documents, and template literals in programs and tests. */
export function ownConfigurations(): string[] {
  const without = { cwd: root, exclude: ["**/node_modules/**", "**/dist/**", "**/.*/**"] };
  const textOf = (file: string): string => readFileSync(join(root, file), "utf8");
  const files = globSync("**/*.{tf,hcl}", without).map(textOf);
  const snippets = globSync("**/*.md", without).flatMap((file) =>
    [...textOf(file).matchAll(/^```(?:hcl|tf|terraform)\n(.*?)^```/gms)].map(([, text]) => text!),
  );
  const literals = globSync("{apps,benchmarks,packages,tests}/**/*.ts", without).flatMap((file) =>
    [...textOf(file).matchAll(/`(\s*(?:resource|provider|terraform|variable|data|output|locals|module)\b[ "\w]*\{(?:[^`\\]|\\.)*)`/gs)].map(
      ([, text]) => withoutPlaceholders(text!),
    ),
  );
  return [...files, ...snippets, ...literals];
}

/** Text of a template literal: a name replaces each substitution, a block each substitution that is a whole line. */
function withoutPlaceholders(literal: string): string {
  return literal
    .replace(/\\(.)|\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/gs, (_, escaped: string | undefined) =>
      escaped === undefined ? "placeholder" : escaped === "n" ? "\n" : escaped,
    )
    .replace(/^([ \t]*)placeholder$/gm, "$1placeholder {}");
}
