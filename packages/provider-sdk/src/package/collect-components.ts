// SPDX-License-Identifier: Apache-2.0
import { readdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { SdkError } from "../error.ts";
import { manifestEntry } from "../manifest/component-manifest.ts";
import { componentIn, type CompiledComponent } from "../compile/any-component.ts";

/** Options of `collectComponents`. */
export interface CollectOptions {
  /** Folder whose modules export components, under any name. Searched recursively, without test files. */
  readonly folder: string;
  /** TypeScript or JavaScript file to write. It exports `components`, the argument for `with`. */
  readonly into: string;
  /** Module specifier of the SDK in the written file. Default: `@tenon/provider-sdk`. */
  readonly sdk?: string;
}

/** A component of the folder. */
interface Found {
  readonly component: CompiledComponent;
  readonly file: string;
  readonly exported: string;
}

/**
 * Collects the components of a folder: loads every module in it, and writes a file with the schema of each component. The written file
 * loads a component's code when the component is used.
 *
 * @returns type names of the components.
 * @throws SdkError `LOAD_FAILED` if a module cannot be loaded; `INVALID_DEFINITION` if the folder has no component, or two of the same
 * kind and name.
 */
export async function collectComponents({ folder, into, sdk = "@tenon/provider-sdk" }: CollectOptions): Promise<readonly string[]> {
  const files = (await modulesIn(resolve(folder))).filter((file) => file !== resolve(into));
  const found = (await Promise.all(files.map(componentsOf))).flat();
  if (found.length === 0) throw new SdkError("INVALID_DEFINITION", `${folder} contains no component`);
  rejectDuplicates(found);
  const sorted = found.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  await writeFile(into, sourceOf(sorted, dirname(resolve(into)), sdk));
  return sorted.map(({ component }) => component.typeName);
}

async function modulesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /(?<!\.d)\.[cm]?[jt]s$/.test(entry.name) && !/\.(test|spec)\.[cm]?[jt]s$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

async function componentsOf(file: string): Promise<readonly Found[]> {
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new SdkError("LOAD_FAILED", `${file} cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  // A module may export the same component under its name and as the default.
  const seen = new Set<CompiledComponent>();
  return Object.keys(module)
    .toSorted((a, b) => Number(a === "default") - Number(b === "default"))
    .flatMap((exported) => {
      const component = componentIn(module[exported]);
      if (component === undefined || seen.has(component)) return [];
      seen.add(component);
      return [{ component, file, exported }];
    });
}

const keyOf = ({ component: { kind, typeName } }: Found): string => `${kind} ${typeName}`;

function rejectDuplicates(found: readonly Found[]): void {
  const known = new Map<string, Found>();
  for (const one of found) {
    const other = known.get(keyOf(one));
    if (other !== undefined) throw new SdkError("INVALID_DEFINITION", `${keyOf(one)} is in ${other.file} and in ${one.file}`);
    known.set(keyOf(one), one);
  }
}

function sourceOf(found: readonly Found[], folder: string, sdk: string): string {
  const specifier = (file: string): string => `./${relative(folder, file).split(sep).join("/")}`.replace(/^\.\/\.\.\//, "../");
  const loaders = found.map(
    ({ file, exported, component }) =>
      `  // ${component.kind} ${component.typeName}\n  () => import(${JSON.stringify(specifier(file))}).then((module) => module${exported === "default" ? ".default" : `.${exported}`}),`,
  );
  const manifest = JSON.stringify(found.map(({ component }) => manifestEntry(component)));
  return `// Written by tenon-collect-components. Contains the schemas of the components; their code is loaded when they are used.
import { lazyComponents } from ${JSON.stringify(sdk)};

export const components: ReturnType<typeof lazyComponents> = lazyComponents(
  ${JSON.stringify(manifest)},
  [
${loaders.join("\n")}
  ],
);
`;
}
