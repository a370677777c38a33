// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { InstalledProject } from "./installed-project.ts";
import type { PackedPackages } from "./packed-packages.ts";

/** A dependency that users of a package install only for some of its features. */
interface OptionalDependency {
  /** Name of the package of this repository. */
  readonly package: string;
  /** Name of the dependency, which has a version in the catalog. */
  readonly dependency: string;
  /** Expressions of promises that use the dependency, with their results as JSON. */
  readonly uses: Readonly<Record<string, unknown>>;
  /** Error that each promise rejects with while the dependency is not installed; absent if the package works without it. */
  readonly error?: { readonly name: string; readonly code: string };
}

const optionalDependencies: readonly OptionalDependency[] = [
  {
    package: "@tenon/protocol",
    dependency: "@connectrpc/connect-node",
    uses: {
      'import("@tenon/protocol/carrier/connect-node-client").then(Object.keys)': ["openCarrierClient"],
      'import("@tenon/protocol/carrier/connect-node-server").then(Object.keys)': ["createCarrierServer"],
    },
    error: { name: "ProtocolError", code: "DEPENDENCY_MISSING" },
  },
  {
    package: "@tenon/provider-sdk",
    dependency: "esbuild",
    uses: { [`(async () => {${packagingProgram()}})()`]: ["dev"] },
    error: { name: "SdkError", code: "DEPENDENCY_MISSING" },
  },
  {
    package: "@tenon/engine",
    dependency: "koffi",
    uses: { [`(async () => {${lockingProgram()}})()`]: ["STATE_LOCKED", "unlocked"] },
  },
];

/** Body of a function that packages a provider without components, and returns the names of the written files. */
function packagingProgram(): string {
  const provider =
    'import { defineProvider } from "@tenon/provider-sdk"; export default defineProvider({ name: "short", version: "1.0.0" }).with([]);';
  const main = 'import { serve } from "@tenon/provider-sdk/serve"; await serve(() => import("./provider.ts"));';
  return `
    const { writeFileSync } = await import("node:fs");
    const { basename, resolve } = await import("node:path");
    writeFileSync("provider.ts", ${JSON.stringify(provider)});
    writeFileSync("main.ts", ${JSON.stringify(main)});
    const { packageProvider } = await import("@tenon/provider-sdk/package");
    const { written } = await packageProvider({ main: resolve("main.ts"), out: resolve("out"), name: "short", version: "1.0.0" });
    return written.map((path) => basename(path));`;
}

/** Body of a function that locks a local state, and returns what a second process gets when it does so before and after the unlock. */
function lockingProgram(): string {
  const second = `
    const { createLockInfo, localState } = await import("@tenon/engine/state/stores");
    const lock = localState().workspace("default").lock(createLockInfo("OperationTypePlan"));
    console.log(await lock.then((held) => held.unlock()).then(() => "unlocked", ({ code }) => code));`;
  return `
    const { execFileSync } = await import("node:child_process");
    const { createLockInfo, localState } = await import("@tenon/engine/state/stores");
    const second = () => execFileSync(process.execPath, ["--input-type=module", "-e", ${JSON.stringify(second)}], { encoding: "utf8" }).trim();
    const lock = await localState().workspace("default").lock(createLockInfo("OperationTypeApply"));
    const whileLocked = second();
    await lock.unlock();
    return [whileLocked, second()];`;
}

/**
 * Checks that each feature with an optional dependency works after the installation, and that without it, it works as well or names the
 * install command.
 */
export function checkOptionalDependencies(root: string, packed: PackedPackages): string | undefined {
  const problems: string[] = [];
  for (const { package: name, dependency, uses, error } of optionalDependencies) {
    const pack = packed.packages.find((known) => known.name === name);
    if (pack === undefined) throw new Error(`no package ${name}`);
    using project = new InstalledProject(packed, pack);
    const load = (): unknown => JSON.parse(project.run(usingProgram(Object.keys(uses))));
    const results = Object.values(uses);
    expect(
      `${name} without ${dependency}`,
      load(),
      error === undefined ? results : results.map(() => ({ ...error, namesInstallCommand: true })),
    );
    project.install(`${dependency}@${catalogVersion(root, dependency)}`);
    expect(`${name} with ${dependency}`, load(), results);

    function expect(title: string, actual: unknown, expected: unknown): void {
      if (!isDeepStrictEqual(actual, expected))
        problems.push(`${title}: expected ${JSON.stringify(expected)}, received ${JSON.stringify(actual)}`);
    }
    function usingProgram(promises: readonly string[]): string {
      const command = JSON.stringify(`npm install (--save-dev )?${dependency}`);
      return `
        const failure = ({ name, code, message }: { name: string; code: string; message: string }) => (
          { name, code, namesInstallCommand: new RegExp(${command}).test(message) });
        const results = [${promises.map((promise) => `${promise}.catch(failure)`).join(", ")}];
        console.log(JSON.stringify(await Promise.all(results)));`;
    }
  }
  return problems.length === 0 ? undefined : problems.join("\n");
}

function catalogVersion(root: string, dependency: string): string {
  const catalog = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8");
  const version = catalog
    .split("\n")
    .map((line) => /^ {2}"?([^":]+)"?: (\S+)$/.exec(line))
    .find((match) => match?.[1] === dependency)?.[2];
  if (version === undefined) throw new Error(`the catalog has no version of ${dependency}`);
  return version;
}
