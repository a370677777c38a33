// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SdkError } from "../error.ts";
import { answersName, askProvider } from "./ask-provider.ts";
import { bundle, type BundledFile } from "./bundle.ts";
import { bundleName, embeddedNodeName, launcherScript } from "./launcher.ts";
import { currentPlatform } from "./platform.ts";
import { parseSourceAddress } from "./source-address.ts";
import { type ZipEntry, zipArchive } from "./zip-archive.ts";

/** What to make a package of, and where. */
export interface PackageOptions {
  /** The file that calls `serve`. */
  readonly main: string;
  /** Folder to write to. Only what this writes in it is replaced. */
  readonly out: string;
  /** `terraform-provider-<name>` is what hosts look for. */
  readonly name: string;
  /** Version, `1.2.3` or `1.2.3-beta1`. */
  readonly version: string;
  /** `host/namespace/name`; a mirror needs it. */
  readonly address?: string;
  /** Also write a filesystem mirror, unpacked and packed. Default: false. */
  readonly mirror?: boolean;
  /** Also write the archive to publish, with checksums and manifest. Default: false. */
  readonly zip?: boolean;
  /** Put the running Node into the package; it then is for this platform only. Default: false. */
  readonly embedNode?: boolean;
  /** Do not write down where the running Node is. Default: false. */
  readonly portable?: boolean;
  /** Do not package the provider's schemas, which it then is asked for at every start. Default: false. */
  readonly liveSchema?: boolean;
}

/** What was written. */
export interface PackagedProvider {
  /** For `dev_overrides`. */
  readonly devFolder: string;
  /** For `filesystem_mirror`, unpacked. */
  readonly mirrorFolder?: string;
  /** Every file and folder a caller may want to know of. */
  readonly written: readonly string[];
}

/**
 * Bundles a provider and lays it out for hosts:
 *
 * - `dev/`: `terraform-provider-NAME` and its bundle, to be named in `dev_overrides`;
 * - `mirror/HOST/NAMESPACE/NAME/VERSION/OS_ARCH/`: the same for `filesystem_mirror`;
 * - `packed-mirror/HOST/NAMESPACE/NAME/…zip`: the same in one file;
 * - `release/`: the archive to publish, `SHA256SUMS` and manifest.
 *
 * The same sources and the same Node give the same bytes.
 *
 * @throws SdkError `INVALID_PACKAGE_OPTION`, `BUNDLE_FAILED`.
 * @see OpenTofu internal/getproviders/filesystem_search.go
 */
export async function packageProvider(options: PackageOptions): Promise<PackagedProvider> {
  const { out, name, version } = options;
  const address = checkedAddress(options);
  if (process.platform === "win32") {
    throw new SdkError(
      "INVALID_PACKAGE_OPTION",
      "a provider's launcher is a shell script, which hosts on Windows cannot run; package it on another system",
    );
  }
  const bundled = await bundle(options.main, bundleName);
  const { protocols, answers } = await askProvider(bundled, bundleName, options);
  const files = await packageFiles(options, [...bundled, ...answers], protocols, answers.length > 0);
  const platform = currentPlatform();
  const archiveName = `terraform-provider-${name}_${version}_${platform}.zip`;
  const launcherName = `terraform-provider-${name}_v${version}`;
  const written: string[] = [];
  const put = async (folder: string, entries: readonly ZipEntry[]): Promise<string> => {
    // What an earlier version left behind might be taken for the provider.
    await rm(folder, { recursive: true, force: true });
    for (const entry of entries) await writeEntry(folder, entry);
    written.push(folder);
    return folder;
  };
  const named = (launcher: string): ZipEntry[] => files.map((file) => (file.name === launcherEntry ? { ...file, name: launcher } : file));
  const devFolder = await put(join(out, "dev"), named(`terraform-provider-${name}`));
  const archive = options.zip || options.mirror ? zipArchive(named(launcherName)) : undefined;
  if (options.mirror && address && archive) {
    const parts = [address.host, address.namespace, address.type];
    await put(join(out, "mirror", ...parts, version, platform), named(launcherName));
    written.push(await writeEntry(join(out, "packed-mirror", ...parts), { name: archiveName, content: archive, executable: false }));
  }
  if (options.zip && archive) {
    for (const file of releaseFiles(name, version, archiveName, archive, protocols))
      written.push(await writeEntry(join(out, "release"), file));
  }
  return { devFolder, ...(options.mirror ? { mirrorFolder: join(out, "mirror") } : {}), written };
}

/** Stands for the launcher until it is known what the layout calls it. */
const launcherEntry = "launcher";

async function packageFiles(
  { address, embedNode = false, portable = false }: PackageOptions,
  bundled: readonly BundledFile[],
  protocols: readonly (5 | 6)[],
  hasAnswers: boolean,
): Promise<ZipEntry[]> {
  const recordedNode = portable || embedNode ? undefined : process.execPath;
  const environment = {
    ...(address === undefined ? {} : { TENON_PROVIDER_ADDRESS: address }),
    ...(protocols.length === 2 ? {} : { TENON_PROVIDER_PROTOCOLS: protocols.join() }),
    ...(hasAnswers ? { TENON_PROVIDER_ANSWERS: `$here/${answersName}` } : {}),
  };
  return [
    { name: launcherEntry, content: Buffer.from(launcherScript(recordedNode, environment)), executable: true },
    ...bundled.map((file) => ({ ...file, executable: false })),
    ...(embedNode ? [{ name: embeddedNodeName, content: await readFile(process.execPath), executable: true }] : []),
  ];
}

/** @see terraform-provider-scaffolding-framework .goreleaser.yml: what registries expect of a release */
function releaseFiles(name: string, version: string, archiveName: string, archive: Uint8Array, protocols: readonly (5 | 6)[]): ZipEntry[] {
  const base = `terraform-provider-${name}_${version}`;
  const manifest = Buffer.from(
    `${JSON.stringify({ version: 1, metadata: { protocol_versions: protocols.map((one) => `${one}.0`) } }, undefined, 2)}\n`,
  );
  const published = [
    { name: archiveName, content: archive, executable: false },
    { name: `${base}_manifest.json`, content: manifest, executable: false },
  ];
  const sums = published.map(({ name, content }) => `${createHash("sha256").update(content).digest("hex")}  ${name}\n`).join("");
  return [...published, { name: `${base}_SHA256SUMS`, content: Buffer.from(sums), executable: false }];
}

async function writeEntry(folder: string, { name, content, executable }: ZipEntry): Promise<string> {
  const path = join(folder, name);
  await mkdir(folder, { recursive: true });
  await writeFile(path, content, { mode: executable ? 0o755 : 0o644 });
  return path;
}

function checkedAddress({ name, version, address: text, mirror }: PackageOptions): ReturnType<typeof parseSourceAddress> | undefined {
  const refuse = (what: string): never => {
    throw new SdkError("INVALID_PACKAGE_OPTION", what);
  };
  if (!/^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/.test(name))
    refuse(`${JSON.stringify(name)} is no name for a provider; use lower case letters, digits and hyphens`);
  if (!/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.test(version))
    refuse(`${JSON.stringify(version)} is no version; write it as 1.2.3`);
  if (text === undefined) return mirror ? refuse("a mirror needs --address host/namespace/name") : undefined;
  const address = parseSourceAddress(text);
  if (address.type !== name) refuse(`the address ${text} ends in ${address.type}, but the provider's name is ${name}`);
  return address;
}
