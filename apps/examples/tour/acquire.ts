// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { installProvider, type InstalledProvider, type InstallEvent } from "@tenon/plugin-host/install";
import { styled, type Screen } from "./screen.ts";

/** Installs the provider of a source address; prints its source and how it was verified. */
export async function acquire(screen: Screen, source: string, version: string | undefined): Promise<InstalledProvider> {
  let doing = `looking for ${source}`;
  let isCached = false;
  const warnings: string[] = [];
  const onProgress = (event: InstallEvent): void => {
    if (event.kind === "warning") warnings.push(event.message);
    else if (event.kind !== "installed") doing = stepText(event);
    if (event.kind === "selected") isCached = event.cached;
  };
  const installed = await screen.during(
    () => doing,
    () => installProvider(source, { ...(version === undefined ? {} : { version }), onProgress }),
    ({ address, version: selected }) => `${address} ${selected ?? "under development"}${isCached ? ", from the cache" : ""}`,
  );
  for (const warning of warnings) screen.line(`  ${styled("yellow", "!")} ${warning}`);
  screen.block(styled("dim", provenance(installed)));
  return installed;
}

/** Describes an executable that was not installed: its file, hash, size and date. */
export async function showFile(screen: Screen, file: string): Promise<void> {
  const path = await realpath(file).catch(() => undefined);
  // A name on PATH, or an error that the launch reports.
  if (path === undefined) return;
  const { size, mtime } = await stat(path);
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  const facts = [`from the file ${path}`, "not verified", `sha256:${hash.digest("hex")}`];
  screen.block(styled("dim", [...facts, `${megabytes(size)}, of ${mtime.toISOString()}`].join("\n")));
}

function stepText(event: Exclude<InstallEvent, { readonly kind: "warning" | "installed" }>): string {
  switch (event.kind) {
    case "looking":
      return `looking for ${event.address}`;
    case "selected":
      return `selected ${event.address} ${event.version}`;
    case "downloading":
      return `downloading ${event.address} ${event.version} ${bar(event.received, event.total)}`;
    default:
      return `${event.kind} ${event.address} ${event.version}`;
  }
}

function bar(received: number, total: number | undefined): string {
  if (total === undefined || total === 0) return megabytes(received);
  const filled = Math.min(20, Math.round((received / total) * 20));
  return `${"█".repeat(filled)}${"░".repeat(20 - filled)} ${megabytes(received)} of ${megabytes(total)}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}

function provenance({ source, trust, signedBy, hashes, executable }: InstalledProvider): string {
  const reasons = {
    signed: `its checksums are signed with the key ${signedBy.join(", ")}`,
    registry: "its checksum matches the registry's; it is not signed",
    checksum: "its checksum matches the mirror's",
    none: "it is not verified",
    development: "it is under development and not verified",
  };
  const own = hashes.find((hash) => hash.startsWith("h1:"));
  return [`from ${source}`, reasons[trust], ...(own ? [own] : []), executable].join("\n");
}
