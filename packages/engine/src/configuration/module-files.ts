// SPDX-License-Identifier: Apache-2.0

/** The configuration files of a module's folder, in the order in which they are read. */
export interface ModuleFiles {
  readonly primary: readonly string[];
  /** Override files, whose blocks change blocks of the primary files. */
  readonly override: readonly string[];
  readonly tests: readonly string[];
}

const endings = [".tf", ".tf.json", ".tftest.hcl", ".tftest.json", ".tofu", ".tofu.json", ".tofutest.hcl", ".tofutest.json"];

/**
 * Selects the configuration files of a folder. A `.tofu` file replaces the `.tf` file of the same name.
 *
 * @param names Sorted names of all files in the folder.
 * @see OpenTofu configs, Parser.dirFiles
 */
export function moduleFilesAmong(names: readonly string[]): ModuleFiles {
  const primary: string[] = [];
  const override: string[] = [];
  const tests: string[] = [];
  for (const name of names) {
    const ending = endings.find((candidate) => name.endsWith(candidate));
    if (ending === undefined || isIgnoredFile(name)) continue;
    if (ending.includes("test.")) {
      tests.push(name);
      continue;
    }
    const base = name.slice(0, -ending.length);
    (base === "override" || base.endsWith("_override") ? override : primary).push(name);
  }
  return { primary: withoutShadowed(primary), override: withoutShadowed(override), tests: withoutShadowed(tests) };
}

/** Selects the test files among files of a module and of its test folder, by path. A `.tofutest` file replaces the `.tftest` file beside it. */
export function testFilesAmong(paths: readonly string[]): readonly string[] {
  return withoutShadowed(
    paths.filter((path) => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      return /\.(tftest|tofutest)\.(hcl|json)$/.test(name) && !isIgnoredFile(name);
    }),
  );
}

/** Whether a file is a hidden file or a backup of an editor. */
export function isIgnoredFile(name: string): boolean {
  return name.startsWith(".") || name.endsWith("~") || (name.startsWith("#") && name.endsWith("#"));
}

function withoutShadowed(names: readonly string[]): readonly string[] {
  const present = new Set(names);
  return names.filter((name) => {
    const ending = endings.slice(0, 4).find((candidate) => name.endsWith(candidate));
    return ending === undefined || !present.has(name.slice(0, -ending.length) + ending.replace(".tf", ".tofu"));
  });
}
