// SPDX-License-Identifier: Apache-2.0
import { readFile } from "node:fs/promises";
import { SdkError } from "../error.ts";
import { bundle } from "./bundle.ts";
import type { BundledFile } from "./bundled-file.ts";
import { bundleName, embeddedNodeName, launcherScript, oldestNode, runsBundles } from "./launcher.ts";
import { isSourceMap, withMapComments } from "./source-map.ts";
import type { PackagedFile } from "./write-package.ts";

/** Options of {@link packageProgram}. */
export interface ProgramOptions extends LauncherOptions {
  /** Path of the program. */
  readonly main: string;
  /** Text of the program, where `main` is not a file; its imports are those of a file at that path. */
  readonly text?: string;
  /** Name of the executable file. */
  readonly name: string;
  /** Whether to package source maps. Default: true. */
  readonly sourceMaps?: boolean;
  /** Modules that are not bundled: the program imports them from where it is installed. Default: none. */
  readonly external?: readonly string[];
}

/** Options of the executable file of a package. */
export interface LauncherOptions {
  /** Whether to put the running Node into the package, which then works on this platform only. Default: false. */
  readonly embedNode?: boolean;
  /** Whether to leave the path of the running Node out of the launcher. Default: false. */
  readonly portable?: boolean;
  /** Variables of the program's environment; variables that are already set take precedence. Default: none. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Maximum size of the heap's young generation, in MiB: V8's `--max-semi-space-size`. More memory means less garbage collection for a program
   * whose calls allocate much. Default: 8.
   */
  readonly youngGenerationMiB?: number;
}

/**
 * Bundles a program of Node as an executable: a launcher and the files that it starts. The program prints to the descriptor
 * `TENON_HANDSHAKE_FD` what its host reads from standard output.
 *
 * @throws SdkError `INVALID_PACKAGE_OPTION`, `BUNDLE_FAILED`, `DEPENDENCY_MISSING`.
 */
export async function packageProgram(options: ProgramOptions): Promise<readonly PackagedFile[]> {
  assertPackagingSystem();
  const { main, name, text, external, sourceMaps = true } = options;
  const bundled = await bundle(main, bundleName, { ...(text === undefined ? {} : { text }), ...(external ? { external } : {}) });
  const code = sourceMaps ? withMapComments(bundled) : bundled.filter((file) => !isSourceMap(file));
  return await packagedFiles(code, name, options);
}

/** Adds the launcher to a bundle. @param name - name of the launcher's file. */
export async function packagedFiles(
  bundled: readonly BundledFile[],
  name: string,
  { embedNode = false, portable = false, ...settings }: LauncherOptions,
): Promise<PackagedFile[]> {
  const recordedNode = portable || embedNode ? undefined : process.execPath;
  return [
    { name, content: Buffer.from(launcherScript({ ...settings, recordedNode })), executable: true },
    ...bundled.map((file) => ({ ...file, executable: false })),
    ...(embedNode ? [{ name: embeddedNodeName, content: await readFile(process.execPath), executable: true }] : []),
  ];
}

/** Checks that packages can be made here. @throws SdkError `INVALID_PACKAGE_OPTION` on a system, or under a Node, that cannot run packages. */
export function assertPackagingSystem(): void {
  if (process.platform === "win32") {
    throw new SdkError(
      "INVALID_PACKAGE_OPTION",
      "a provider's launcher is a shell script, which hosts on Windows cannot run; package it on another system",
    );
  }
  if (!runsBundles(process.versions.node)) {
    throw new SdkError(
      "INVALID_PACKAGE_OPTION",
      `this is Node ${process.versions.node}, which cannot run the package; use Node ${oldestNode.join(".")} or newer`,
    );
  }
}
