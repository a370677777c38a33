// SPDX-License-Identifier: Apache-2.0
import { cp, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ModuleRegistry } from "@tenon/plugin-host/install";
import { fetchGitPackage, type GitSettings } from "./git-package.ts";
import { SourceError } from "./source-error.ts";
import { unpackModuleArchive } from "./unpack-archive.ts";

/** Settings for fetching a package. */
export interface PackageSettings extends GitSettings {
  readonly registry: ModuleRegistry;
}

/**
 * Fetches a package to a folder that does not exist yet.
 *
 * @param address The address in its full form, as `parseModuleSource` returns it.
 * @throws SourceError, PluginHostError
 */
export async function fetchPackage(address: string, target: string, settings: PackageSettings): Promise<void> {
  const [, getter, rest = address] = /^([A-Za-z0-9]+)::(.+)$/s.exec(address) ?? [];
  const protocol = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(rest)?.[1] ?? "";
  const kind = getter ?? protocol;
  if (kind === "git" || kind === "ssh") await fetchGitPackage(rest, target, settings);
  else if (kind === "file") await copyFolder(rest, target);
  else if (kind === "http" || kind === "https") await fetchArchive(rest, target, settings.registry);
  else throw new SourceError(`modules cannot be fetched with ${JSON.stringify(kind)}: use git, http, https or file`);
}

async function copyFolder(address: string, target: string): Promise<void> {
  const folder = fileURLToPath(new URL(address));
  const entry = await stat(folder).catch(() => undefined);
  if (entry === undefined || !entry.isDirectory()) throw new SourceError(`source path must be a directory: ${folder}`);
  await cp(folder, target, { recursive: true, verbatimSymlinks: true });
}

/**
 * Downloads an archive and unpacks it.
 *
 * @param authorizedHost The registry whose credentials are sent. Default: no credentials are sent.
 */
export async function fetchArchive(address: string, target: string, registry: ModuleRegistry, authorizedHost?: string): Promise<void> {
  const url = new URL(address);
  const named = url.searchParams.get("archive") ?? undefined;
  url.searchParams.delete("archive");
  const folder = await mkdtemp(join(tmpdir(), "tenon-module-"));
  try {
    const file = join(folder, "archive");
    await registry.download(url.href, file, authorizedHost);
    await unpackModuleArchive(file, target, named ?? archiveKindOf(url.pathname));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function archiveKindOf(path: string): string | undefined {
  return /\.(zip|tar\.gz|tgz|tar)$/.exec(path)?.[1];
}
