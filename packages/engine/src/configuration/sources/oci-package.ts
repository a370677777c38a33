// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OciModules, OciRepository } from "@tenon/plugin-host/install";
import { SourceError } from "./source-error.ts";
import { unpackModuleArchive } from "./unpack-archive.ts";

/**
 * Fetches a package from an OCI registry: `oci://example.com/modules/vpc?tag=1.0.0`.
 *
 * @throws SourceError, PluginHostError
 * @see OpenTofu internal/getmodules, ociDistributionGetter
 */
export async function fetchOciPackage(address: string, target: string, modules: OciModules): Promise<void> {
  const { repository, reference } = ociReferenceOf(address);
  const folder = await mkdtemp(join(tmpdir(), "tenon-module-"));
  try {
    const file = join(folder, "package.zip");
    await modules.download(repository, reference, file);
    await unpackModuleArchive(file, target, "zip");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Splits the address of a package in an OCI registry. Without a tag and a digest, the tag is `latest`.
 *
 * @throws SourceError
 */
export function ociReferenceOf(address: string): { readonly repository: OciRepository; readonly reference: string } {
  const [, host = "", path = "", query = ""] = /^oci:\/\/([^/?]*)\/?([^?]*)(?:\?(.*))?$/s.exec(address) ?? [];
  if (!address.startsWith("oci://")) throw new SourceError("oci source type only supports oci URL scheme");
  if (!/^[A-Za-z0-9.-]+(:[0-9]+)?$/.test(host)) throw new SourceError(`invalid reference: invalid registry ${JSON.stringify(host)}`);
  if (!/^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*(\/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)*$/.test(path)) {
    throw new SourceError(`invalid reference: invalid repository ${JSON.stringify(path)}`);
  }
  const values = new URLSearchParams(query);
  if (values.has("archive")) {
    const reason = "because the archive format is detected automatically from the image manifest";
    throw new SourceError(`the "archive" argument is not allowed for OCI sources, ${reason}`);
  }
  const names = [...new Set(values.keys())];
  for (const name of names) if (values.getAll(name).length > 1) throw new SourceError(`too many ${JSON.stringify(name)} arguments`);
  for (const name of ["tag", "digest"]) if (values.get(name) === "") throw new SourceError(`${name} argument must not be empty`);
  const [tag, digest] = [values.get("tag"), values.get("digest")];
  if (tag !== null && !/^[\w][\w.-]{0,127}$/.test(tag)) throw new SourceError(`invalid reference: invalid tag ${JSON.stringify(tag)}`);
  if (digest !== null) checkDigest(digest);
  const unsupported = names.filter((name) => name !== "tag" && name !== "digest");
  if (unsupported.length === 1) throw new SourceError(`unsupported argument ${JSON.stringify(unsupported[0])}`);
  if (unsupported.length > 1) throw new SourceError(`unsupported arguments: ${unsupported.join(", ")}`);
  if (tag !== null && digest !== null) throw new SourceError('cannot set both "tag" and "digest" arguments');
  return { repository: { host, path }, reference: tag ?? digest ?? "latest" };
}

/** @see opencontainers/go-digest, Digest.Validate */
function checkDigest(digest: string): void {
  const [, algorithm, encoded = ""] = /^([a-z0-9]+(?:[.+_-][a-z0-9]+)*):([A-Za-z0-9=_-]+)$/.exec(digest) ?? [];
  if (algorithm === undefined) throw new SourceError("invalid digest: invalid checksum digest format");
  if (algorithm !== "sha256") throw new SourceError("invalid digest: unsupported digest algorithm");
  if (encoded.length !== 64) throw new SourceError("invalid digest: invalid checksum digest length");
  if (!/^[0-9a-f]+$/.test(encoded)) throw new SourceError("invalid digest: invalid checksum digest format");
}
