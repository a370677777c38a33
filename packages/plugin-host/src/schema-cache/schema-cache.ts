// SPDX-License-Identifier: Apache-2.0
import { createHash, randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SchemaStore } from "@tenon/schema/wire/v6";
import { openPrivateFolder } from "../install/cache/private-folder.ts";
import type { PackageHash } from "../install/package/package-hash.ts";
import type { ProtocolVersion } from "../connection/connection-settings.ts";
import { readSchemaFile, writeSchemaFile } from "./schema-file.ts";

/** The place of a provider's schemas in a cache. */
export interface SchemaCacheEntry {
  /**
   * The folder of the cache, created for this user alone if it does not exist. A folder that others can write to is not used. Any number
   * of processes may use it at the same time.
   */
  readonly folder: string;
  /** Hash of the provider's package: a package with another hash is another provider. */
  readonly packageHash: PackageHash;
  /** Called with the reason when schemas cannot be cached, which is not a failure. Default: no listener. */
  readonly onWarning?: (message: string) => void;
}

/** Data in a cache. */
export interface PackageDataStore {
  /** Returns the data; undefined where there is none. Never rejects. */
  load(): Promise<Uint8Array | undefined>;
  /** Stores data. Never rejects: what cannot be stored is reported as a warning. */
  save(data: Uint8Array): Promise<void>;
}

/** The cached schemas of one provider in one protocol version. A truncated or damaged file counts as absent, and is replaced. */
export function createSchemaStore(entry: SchemaCacheEntry, protocolVersion: ProtocolVersion): SchemaStore {
  return createStore(entry, `protocol ${protocolVersion}`, `v${protocolVersion}.schema`);
}

/**
 * Data about the schemas of one package that takes long to compute, such as the schemas in another format.
 *
 * @param purpose - what the data depends on beside the package, such as the format and its version.
 */
export function packageDataStore(entry: SchemaCacheEntry, purpose: string): PackageDataStore {
  const digest = createHash("sha256").update(purpose).digest("hex").slice(0, 32);
  return createStore(entry, purpose, `${digest}.data`);
}

function createStore({ folder, packageHash, onWarning }: SchemaCacheEntry, purpose: string, suffix: string): PackageDataStore {
  const subject = `${packageHash} ${purpose}`;
  const file = join(folder, fileName(packageHash, suffix));
  return {
    async load() {
      const isPrivate = await openPrivateFolder(folder).catch(() => false);
      const bytes = isPrivate ? await readFile(file).catch(() => undefined) : undefined;
      return bytes && readSchemaFile(bytes, subject);
    },
    async save(response) {
      const temporary = `${file}.${randomUUID()}`;
      try {
        if (!(await openPrivateFolder(folder))) throw new Error("others can write to it");
        await writeFile(temporary, writeSchemaFile(response, subject), { mode: 0o600, flag: "wx" });
        // A concurrent reader reads the old file or the new one, never an incomplete one.
        await rename(temporary, file);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        onWarning?.(`the provider's schemas cannot be cached in ${folder}: ${(error as Error).message}`);
      }
    },
  };
}

/** The name of the cache file. The hash is in hex, because base64 has characters that file names cannot have. */
function fileName(packageHash: PackageHash, suffix: string): string {
  const [scheme, hash = ""] = packageHash.split(":", 2);
  return `${scheme}-${Buffer.from(hash, scheme === "zh" ? "hex" : "base64").toString("hex")}.${suffix}`;
}
