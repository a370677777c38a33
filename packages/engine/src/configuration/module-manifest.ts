// SPDX-License-Identifier: Apache-2.0
import { posix } from "node:path";
import { compareCodePoints, goQuote } from "@tenon/cty/unstable/payload";
import type { Diagnostic } from "@tenon/hcl";
import type { ModulePath } from "../address/module.ts";
import { EngineError } from "../error.ts";
import type { ConfigurationFiles } from "./file-system.ts";
import type { ModuleRequest, ModuleResolver, ResolvedModule } from "./module-request.ts";
import { formatModuleSource, parseModuleSource } from "./module-source.ts";
import { parseComparableVersion, versionMeets } from "./version-constraint.ts";

/** The record of an installed module in `.terraform/modules/modules.json`. */
export interface InstalledModule {
  readonly path: ModulePath;
  /** The canonical source address; empty for the root module. */
  readonly source: string;
  /** Only for a module from a registry. */
  readonly version?: string;
  /** The folder, with `/` as separator. In the file, it is relative to the folder of the root module. */
  readonly folder: string;
}

/** Installed modules by {@link manifestKey}. */
export type ModuleManifest = ReadonlyMap<string, InstalledModule>;

/** The path of the manifest, relative to the folder of the root module. */
export const manifestPath = ".terraform/modules/modules.json";

/** The key of a module in the manifest: the names of the calls, with dots between them. */
export function manifestKey(path: ModulePath): string {
  return path.join(".");
}

/**
 * Reads a `modules.json`.
 *
 * @throws EngineError `INVALID_MODULE_MANIFEST`
 * @see OpenTofu modsdir, ReadManifestSnapshot
 */
export function parseManifest(text: string): ModuleManifest {
  const manifest = new Map<string, InstalledModule>();
  if (text === "") return manifest;
  for (const record of recordsIn(text)) {
    const { Key, Source = "", Version = "", Dir } = record;
    if (Version !== "" && parseComparableVersion(Version) === undefined) {
      throw invalidManifest(`the version ${goQuote(Version)} of ${Key} is malformed`);
    }
    if (manifest.has(Key)) throw invalidManifest(`it has two records for ${Key}`);
    const parsed = Source === "" ? undefined : parseModuleSource(Source);
    manifest.set(Key, {
      path: Key === "" ? [] : Key.split("."),
      source: parsed !== undefined && "source" in parsed ? formatModuleSource(parsed.source) : Source,
      ...(Version !== "" && { version: Version }),
      folder: Dir,
    });
  }
  return manifest;
}

interface ManifestRecord {
  readonly Key: string;
  readonly Source?: string;
  readonly Version?: string;
  readonly Dir: string;
}

function recordsIn(text: string): readonly ManifestRecord[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new EngineError("INVALID_MODULE_MANIFEST", `${manifestPath} is malformed: it is not JSON`, { cause: error });
  }
  const records: unknown = typeof parsed === "object" && parsed !== null && "Modules" in parsed ? (parsed.Modules ?? []) : [];
  if (!Array.isArray(records) || !records.every(isRecord)) throw invalidManifest('each entry of "Modules" must have a "Key" and a "Dir"');
  return records;
}

function isRecord(record: unknown): record is ManifestRecord {
  if (typeof record !== "object" || record === null || !("Key" in record) || !("Dir" in record)) return false;
  const texts = [record.Key, record.Dir, "Source" in record ? record.Source : "", "Version" in record ? record.Version : ""];
  return texts.every((text) => typeof text === "string");
}

function invalidManifest(reason: string): EngineError {
  return new EngineError("INVALID_MODULE_MANIFEST", `${manifestPath} is malformed: ${reason}`);
}

/** Formats a `modules.json`, with the same bytes as OpenTofu. @see OpenTofu modsdir, Manifest.WriteSnapshot */
export function formatManifest(manifest: ModuleManifest): string {
  const records = [...manifest]
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([key, { source, version, folder }]) => ({
      Key: key,
      Source: source,
      ...(version !== undefined && { Version: version }),
      Dir: folder,
    }));
  return JSON.stringify({ Modules: records.length === 0 ? null : records }).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Reads the manifest of a root module; empty if there is none. The folders of the result include the folder of the root module. */
export async function readManifest(files: ConfigurationFiles, folder: string): Promise<ModuleManifest> {
  const source = await files.read(posix.join(folder, manifestPath));
  if (source === undefined) return new Map();
  const manifest = parseManifest(typeof source === "string" ? source : new TextDecoder().decode(source));
  return withFolders(manifest, (path) => (posix.isAbsolute(path) ? path : posix.join(folder, path)));
}

/** The manifest with folders relative to the folder of the root module, as in the file. */
export function relativeManifest(manifest: ModuleManifest, folder: string): ModuleManifest {
  return withFolders(manifest, (path) => posix.relative(folder, path) || ".");
}

function withFolders(manifest: ModuleManifest, change: (folder: string) => string): ModuleManifest {
  return new Map([...manifest].map(([key, installed]) => [key, { ...installed, folder: change(installed.folder) }]));
}

/**
 * Returns a resolver that finds modules in the folders of the manifest, as `tofu plan` does.
 *
 * @see OpenTofu configs/configload, Loader.moduleWalkerLoad
 */
export function installedModules(manifest: ModuleManifest): ModuleResolver {
  return ({ path, source, version, sourceRange, callRange }: ModuleRequest): ResolvedModule => {
    const installed = manifest.get(manifestKey(path));
    const advice = 'Run "tofu init" to install all modules required by this configuration.';
    if (installed === undefined) {
      const detail = `This module is not yet installed. ${advice}`;
      return { diagnostics: [{ severity: "error", summary: "Module not installed", detail, subject: callRange }] };
    }
    const diagnostics: Diagnostic[] = [];
    const changed = (what: string, detail: string): void => {
      diagnostics.push({
        severity: "error",
        summary: `Module ${what} changed`,
        detail: `${detail} ${advice}`,
        ...(sourceRange && { subject: sourceRange }),
      });
    };
    const current = source && formatModuleSource(source);
    if (current !== undefined && current !== installed.source) {
      changed(
        "source has",
        `The source address was changed from ${goQuote(installed.source)} to ${goQuote(current)} since this module was installed.`,
      );
    }
    const requirements = "The version requirements have changed since this module was installed and the installed version";
    const comparisons = version?.comparisons ?? [];
    if (installed.version === undefined) {
      if (comparisons.length > 0) changed("version requirements have", `${requirements} is no longer acceptable.`);
    } else if (!versionMeets(parseComparableVersion(installed.version)!, comparisons)) {
      changed("version requirements have", `${requirements} (${installed.version}) is no longer acceptable.`);
    }
    return { folder: installed.folder, ...(installed.version !== undefined && { version: installed.version }), diagnostics };
  };
}
