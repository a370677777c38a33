// SPDX-License-Identifier: Apache-2.0
import { readdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { SdkError } from "../error.ts";
import { manifestEntry } from "../manifest/component-manifest.ts";
import { componentIn, type CompiledComponent } from "../schema/component.ts";

export interface CollectOptions {
  /** Folder whose modules hold components, as any of their exports. Folders in it are looked into as well; tests are not. */
  readonly folder: string;
  /** The TypeScript or JavaScript file to write. It exports `components`, to hand to `with`. */
  readonly into: string;
  /** Where the written file imports the SDK from. Default: `@tenon/provider-sdk`. */
  readonly sdk?: string;
}

/** A component that was found. */
interface Found {
  readonly component: CompiledComponent;
  readonly file: string;
  readonly exported: string;
}

/**
 * Collects the components of a folder: loads every module in it once, now, and writes a file that says what each component is and
 * loads its code when it is used.
 *
 * @returns The names of what was found, as a configuration uses them.
 * @throws SdkError `LOAD_FAILED` for a module that cannot be loaded; `INVALID_DEFINITION` where nothing was found, or one thing twice.
 */
export async function collectComponents({ folder, into, sdk = "@tenon/provider-sdk" }: CollectOptions): Promise<readonly string[]> {
  const files = (await modulesIn(resolve(folder))).filter((file) => file !== resolve(into));
  const found = (await Promise.all(files.map(componentsOf))).flat();
  if (found.length === 0) throw new SdkError("INVALID_DEFINITION", `there is no component in ${folder}`);
  refuseTwice(found);
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
  // The default export is often one of the others once more.
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

function refuseTwice(found: readonly Found[]): void {
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
  return `// Written by tenon-collect-components. Components are known by what stands here; their code is loaded when they are used.
import { lazyComponents } from ${JSON.stringify(sdk)};

export const components: ReturnType<typeof lazyComponents> = lazyComponents(
  ${JSON.stringify(manifest)},
  [
${loaders.join("\n")}
  ],
);
`;
}
