// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
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

/** The cached schemas of one provider in one protocol version. A truncated or damaged file counts as absent, and is replaced. */
export function createSchemaStore({ folder, packageHash, onWarning }: SchemaCacheEntry, protocolVersion: ProtocolVersion): SchemaStore {
  const subject = `${packageHash} protocol ${protocolVersion}`;
  const file = join(folder, fileName(packageHash, protocolVersion));
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
function fileName(packageHash: PackageHash, protocolVersion: ProtocolVersion): string {
  const [scheme, hash = ""] = packageHash.split(":", 2);
  return `${scheme}-${Buffer.from(hash, scheme === "zh" ? "hex" : "base64").toString("hex")}.v${protocolVersion}.schema`;
}
