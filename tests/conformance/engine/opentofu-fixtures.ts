// SPDX-License-Identifier: Apache-2.0
// The configurations and state files that OpenTofu's own tests load, in the source of the module that the oracle is built from. They stay there.
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** A configuration: a name, and its files by path. */
export interface ConfigurationFixture {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
}

const version = "v1.12.6";

/** Folders whose files are configurations of their own. */
const singleFiles = /\/configs\/testdata\/(?:valid|invalid|warning|error|invalid-import)-files$/;

/** The configurations; undefined where Go's module cache does not have OpenTofu's source. */
export function configurationFixtures(): readonly ConfigurationFixture[] | undefined {
  const source = sourceFolder();
  if (source === undefined) return undefined;
  const files = globSync("internal/**/testdata/**/*.{tf,tofu,tf.json,tofu.json}", { cwd: source }).sort();
  const folders = new Set(files.map((file) => dirname(join(source, file))));
  return [...folders].flatMap((folder) => {
    const name = relative(join(source, "internal"), folder);
    if (!singleFiles.test(folder)) return { name, files: filesBelow(folder) };
    const single = filesBelow(folder);
    return Object.entries(single).map(([file, text]) => ({ name: `${name}/${file}`, files: { [file]: text } }));
  });
}

/** The texts of state files by path; undefined where Go's module cache does not have OpenTofu's source. */
export function stateFixtures(): ReadonlyMap<string, string> | undefined {
  const source = sourceFolder();
  if (source === undefined) return undefined;
  const paths = globSync("internal/**/testdata/**/*.tfstate", { cwd: source }).sort();
  return new Map(paths.map((path) => [path, readFileSync(join(source, path), "utf8")]));
}

function sourceFolder(): string | undefined {
  try {
    const cache = execFileSync("go", ["env", "GOMODCACHE"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    const folder = join(cache, "github.com/opentofu", `opentofu@${version}`);
    return existsSync(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

function filesBelow(folder: string): Record<string, string> {
  const paths = globSync("**/*", { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}
