// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SchemaStore } from "@tenon/schema/wire/v6";
import type { PackageHash } from "../install/package/package-hash.ts";
import type { ProtocolVersion } from "../launch/launch-options.ts";
import { readSchemaFile, writeSchemaFile } from "./schema-file.ts";

/** Where a provider's schemas are kept, and under which name. */
export interface SchemaCacheEntry {
  /** It is made where it is not there, for its owner only. Any number of processes may use it at once. */
  readonly folder: string;
  /** Of the provider's package: what has another hash is another provider. */
  readonly packageHash: PackageHash;
  /** Told why something could not be kept. That is no failure. Default: nobody. */
  readonly onWarning?: (message: string) => void;
}

/** The schemas of one provider, in one protocol version. What is not whole counts as absent, and is replaced. */
export function createSchemaStore({ folder, packageHash, onWarning }: SchemaCacheEntry, protocolVersion: ProtocolVersion): SchemaStore {
  const subject = `${packageHash} protocol ${protocolVersion}`;
  const file = join(folder, fileName(packageHash, protocolVersion));
  return {
    async load() {
      const bytes = await readFile(file).catch(() => undefined);
      return bytes && readSchemaFile(bytes, subject);
    },
    async save(answer) {
      const aside = `${file}.${randomUUID()}`;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(aside, writeSchemaFile(answer, subject), { mode: 0o600, flag: "wx" });
        // Who reads meanwhile has the old file or the new one, and never half of one.
        await rename(aside, file);
      } catch (error) {
        await rm(aside, { force: true }).catch(() => {});
        onWarning?.(`the provider's schemas could not be kept in ${folder}: ${(error as Error).message}`);
      }
    },
  };
}

/** Base64 has letters that file names cannot have. */
function fileName(packageHash: PackageHash, protocolVersion: ProtocolVersion): string {
  const [scheme, hash = ""] = packageHash.split(":", 2);
  return `${scheme}-${Buffer.from(hash, scheme === "zh" ? "hex" : "base64").toString("hex")}.v${protocolVersion}.schema`;
}
