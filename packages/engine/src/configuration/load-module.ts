// SPDX-License-Identifier: Apache-2.0
import { posix } from "node:path";
import { goQuote } from "@tenon/cty/unstable/payload";
import { parseConfig, parseJson, type Body, type Diagnostic } from "@tenon/hcl";
import { nativeBody } from "@tenon/hcl/body";
import { assembleModule } from "./assemble-module.ts";
import { readConfigurationFile, type ConfigurationFile } from "./configuration-file.ts";
import type { ConfigurationFiles } from "./file-system.ts";
import { moduleFilesAmong } from "./module-files.ts";
import type { Module } from "./module.ts";
import { reportError, type Report } from "./report.ts";

/** The module of a folder, before its static expressions are evaluated. */
export interface LoadedModule {
  /** Absent if the folder cannot be read. */
  readonly module?: Module;
  /** Diagnostics of the parser. */
  readonly syntaxDiagnostics: readonly Diagnostic[];
  /** Diagnostics of the blocks. */
  readonly diagnostics: readonly Diagnostic[];
  /** Errors of version constraints that exclude the engine's version of OpenTofu. They replace all other diagnostics of the module. */
  readonly versionMismatches: readonly Diagnostic[];
}

/** Reads modules and caches them by folder, so that a module with several calls is read once. */
export class ModuleReader {
  readonly #files: ConfigurationFiles;
  readonly #modules: Map<string, Promise<LoadedModule>> = new Map();
  /** The texts of the files by path, to show the source of diagnostics. */
  readonly sources: Map<string, string | Uint8Array> = new Map();

  constructor(files: ConfigurationFiles) {
    this.#files = files;
  }

  /** Reads the module of a folder, or returns the cached one. */
  read(folder: string): Promise<LoadedModule> {
    let loading = this.#modules.get(folder);
    if (loading === undefined) {
      loading = this.#read(folder);
      this.#modules.set(folder, loading);
    }
    return loading;
  }

  async #read(folder: string): Promise<LoadedModule> {
    const names = await this.#files.list(folder);
    if (names === undefined) {
      const diagnostics: Report = [];
      reportError(diagnostics, "Failed to read module directory", `Module directory ${folder} does not exist or cannot be read.`);
      return { syntaxDiagnostics: [], diagnostics, versionMismatches: [] };
    }
    const { primary, override } = moduleFilesAmong(names);
    const syntaxDiagnostics: Report = [];
    const diagnostics: Report = [];
    const readAll = async (paths: readonly string[], isOverride: boolean): Promise<readonly ConfigurationFile[]> => {
      const bodies = await Promise.all(
        paths.map(async (name) => await this.#body(posix.join(folder, name), syntaxDiagnostics, diagnostics)),
      );
      return bodies.flatMap((body) => (body === undefined ? [] : [readConfigurationFile(body, isOverride, diagnostics)]));
    };
    const primaryFiles = await readAll(primary, false);
    const overrideFiles = await readAll(override, true);
    const module = assembleModule(folder, primaryFiles, overrideFiles, diagnostics);
    const versionMismatches = [...primaryFiles, ...overrideFiles].flatMap((file) => file.versionMismatches);
    return { module, syntaxDiagnostics, diagnostics, versionMismatches };
  }

  async #body(path: string, syntax: Report, report: Report): Promise<Body | undefined> {
    const source = await this.#files.read(path);
    if (source === undefined) {
      reportError(report, "Failed to read file", `The file ${goQuote(path)} could not be read.`);
      return undefined;
    }
    this.sources.set(path, source);
    if (path.endsWith(".json")) {
      const { body, diagnostics } = parseJson(source, path);
      syntax.push(...diagnostics);
      return body;
    }
    const { body, diagnostics } = parseConfig(source, path, { recovery: "first-error" });
    syntax.push(...diagnostics);
    return nativeBody(body);
  }
}
