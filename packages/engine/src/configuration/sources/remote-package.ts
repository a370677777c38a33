// SPDX-License-Identifier: Apache-2.0
import { cp, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PluginHostError, type ModuleRegistry, type OciModules } from "@tenon/plugin-host/install";
import { parseModuleSource } from "../module-source.ts";
import { archiveKindOf } from "./archive-kind.ts";
import { fetchGitPackage, withoutCredentials, type GitSettings } from "./git-package.ts";
import { fetchOciPackage } from "./oci-package.ts";
import { folderInPackage } from "./package-folder.ts";
import { fetchS3Package } from "./s3-package.ts";
import { SourceError } from "./source-error.ts";
import { unpackModuleArchive } from "./unpack-archive.ts";

/** Settings for fetching a package. */
export interface PackageSettings extends GitSettings {
  readonly registry: ModuleRegistry;
  readonly ociModules: OciModules;
}

/** Maximum number of servers that name another source, one after the other. */
const maxNamedSources = 10;

/**
 * Fetches a package to a folder that does not exist yet.
 *
 * @param address The address in its full form, as `parseModuleSource` returns it.
 * @throws SourceError, PluginHostError, and EngineError `INVALID_OPTIONS` if a package that an S3 source needs is not installed.
 */
export async function fetchPackage(address: string, target: string, settings: PackageSettings): Promise<void> {
  await fetchFrom(address, target, settings, 0);
}

/** The getter of an address, which its prefix or its protocol names, and the address without the prefix. */
function getterOf(address: string): { readonly getter: string; readonly location: string } {
  const [, prefix, location = address] = /^([A-Za-z0-9]+)::(.+)$/s.exec(address) ?? [];
  return { getter: prefix ?? /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(location)?.[1] ?? "", location };
}

async function fetchFrom(address: string, target: string, settings: PackageSettings, namedSources: number): Promise<void> {
  const { getter, location } = getterOf(address);
  try {
    if (getter === "git" || getter === "ssh") await fetchGitPackage(location, target, settings);
    else if (getter === "file") await copyFolder(location, target);
    else if (getter === "s3") await fetchS3Package(location, target, settings);
    else if (getter === "oci") await fetchOciPackage(location, target, settings.ociModules);
    else if (getter === "http" || getter === "https") await fetchOverHttp(location, target, settings, namedSources);
    else throw new SourceError(`modules cannot be fetched with ${JSON.stringify(getter)}: use git, http, https, s3, oci or file`);
  } catch (error) {
    settings.signal?.throwIfAborted();
    if (!(error instanceof SourceError || error instanceof PluginHostError)) throw error;
    throw new SourceError(`error downloading '${shownAddress(location)}': ${error.message}`, { cause: error });
  }
}

/** An address without its secrets, with its arguments in order, as go-getter shows it. */
function shownAddress(address: string): string {
  const [base = "", query] = withoutCredentials(address).split(/\?(.*)/s);
  if (query === undefined) return base;
  const values = new URLSearchParams(query);
  values.sort();
  return `${base}?${values.toString()}`;
}

async function copyFolder(address: string, target: string): Promise<void> {
  const folder = fileURLToPath(new URL(address));
  const entry = await stat(folder).catch(() => undefined);
  if (entry === undefined || !entry.isDirectory()) throw new SourceError(`source path must be a directory: ${folder}`);
  await cp(folder, target, { recursive: true, verbatimSymlinks: true });
}

/** Downloads an archive. For any other URL, asks the server for the source of the package, and fetches that source. */
async function fetchOverHttp(address: string, target: string, settings: PackageSettings, namedSources: number): Promise<void> {
  const { url, kind } = archiveKindOf(new URL(address));
  if (kind !== undefined && kind !== false) {
    await fetchArchive(address, target, settings.registry);
    return;
  }
  if (namedSources === maxNamedSources) throw new SourceError(`more than ${maxNamedSources} servers named another source`);
  const text = await settings.registry.namedSource(url.href);
  if (text === undefined) throw new SourceError("no source URL was returned");
  const parsed = parseModuleSource(text);
  if (!("source" in parsed) || parsed.source.kind !== "remote") throw new SourceError(`invalid source string: ${text}`);
  // A server must not select files of this machine.
  const { getter, location } = getterOf(parsed.source.address);
  if (getter === "file" || location.startsWith("file:")) throw new SourceError(`invalid source string: ${text}`);
  const { address: named, subfolder } = parsed.source;
  if (subfolder === "") {
    await fetchFrom(named, target, settings, namedSources + 1);
    return;
  }
  const whole = await mkdtemp(join(tmpdir(), "tenon-module-"));
  try {
    const root = join(whole, "package");
    await fetchFrom(named, root, settings, namedSources + 1);
    const folder = await folderInPackage(root, subfolder);
    if (folder === undefined) throw new SourceError(`subdirectory ${JSON.stringify(subfolder)} not found`);
    await cp(folder, target, { recursive: true, verbatimSymlinks: true });
  } finally {
    await rm(whole, { recursive: true, force: true });
  }
}

/**
 * Downloads an archive and unpacks it.
 *
 * @param authorizedHost The registry whose credentials are sent. Default: no credentials are sent.
 */
export async function fetchArchive(address: string, target: string, registry: ModuleRegistry, authorizedHost?: string): Promise<void> {
  const { url, kind } = archiveKindOf(new URL(address));
  const folder = await mkdtemp(join(tmpdir(), "tenon-module-"));
  try {
    const file = join(folder, "archive");
    await registry.download(url.href, file, authorizedHost);
    await unpackModuleArchive(file, target, kind === false ? undefined : kind);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
