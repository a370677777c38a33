// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { join } from "node:path";
import { SdkError } from "../error.ts";
import { responseFilePrefix, inspectProvider } from "./inspect-provider.ts";
import { bundle } from "./bundle.ts";
import type { BundledFile } from "./bundled-file.ts";
import { bundleName } from "./launcher.ts";
import { assertPackagingSystem, packagedFiles } from "./package-program.ts";
import { currentPlatform } from "./platform.ts";
import { parseSourceAddress } from "./source-address.ts";
import { isSourceMap, withMapComments } from "./source-map.ts";
import { writeEntry, writePackage } from "./write-package.ts";
import { type ZipEntry, zipArchive } from "./zip-archive.ts";

/** Options of `packageProvider`. */
export interface PackageOptions {
  /** The file that calls `serve`. */
  readonly main: string;
  /** Output folder. Only the files written by packaging are replaced. */
  readonly out: string;
  /** Provider name, as in `terraform-provider-<name>`. */
  readonly name: string;
  /** Version, `1.2.3` or `1.2.3-beta1`. */
  readonly version: string;
  /** Source address, `host/namespace/name`; required for a mirror. */
  readonly address?: string;
  /** Whether to write a filesystem mirror too, unpacked and packed. Default: false. */
  readonly mirror?: boolean;
  /** Whether to write the archive to publish too, with checksums and manifest. Default: false. */
  readonly zip?: boolean;
  /** Whether to put the running Node into the package, which then works on this platform only. Default: false. */
  readonly embedNode?: boolean;
  /** Whether to leave the path of the running Node out of the launcher. Default: false. */
  readonly portable?: boolean;
  /** Whether to leave the provider's schemas out of the package; the provider then computes them at every start. Default: false. */
  readonly liveSchema?: boolean;
  /** Whether to package source maps: stacks then show positions in the sources, and debuggers find them. Default: true. */
  readonly sourceMaps?: boolean;
}

/** Result of `packageProvider`. */
export interface PackagedProvider {
  /** Folder for `dev_overrides`. */
  readonly devFolder: string;
  /** Unpacked folder for `filesystem_mirror`. */
  readonly mirrorFolder?: string;
  /** Paths of the written folders and archives. */
  readonly written: readonly string[];
}

/**
 * Bundles a provider and writes it in the folder layouts of hosts:
 *
 * - `dev/`: `terraform-provider-NAME` and its bundle, for `dev_overrides`;
 * - `mirror/HOST/NAMESPACE/NAME/VERSION/OS_ARCH/`: the same for `filesystem_mirror`;
 * - `packed-mirror/HOST/NAMESPACE/NAME/…zip`: the same in one file;
 * - `release/`: the archive to publish, `SHA256SUMS` and manifest.
 *
 * With the same sources and the same Node, the output is reproducible byte for byte.
 *
 * @throws SdkError `INVALID_PACKAGE_OPTION`, `BUNDLE_FAILED`, `DEPENDENCY_MISSING`, `UNUSABLE_PROVIDER`.
 * @see OpenTofu internal/getproviders/filesystem_search.go
 */
export async function packageProvider(options: PackageOptions): Promise<PackagedProvider> {
  const { out, name, version } = options;
  const address = checkedAddress(options);
  assertPackagingSystem();
  const bundled = await bundle(options.main, bundleName);
  const { protocols, responses } = await inspectProvider(bundled, bundleName, options.main, options);
  const code = options.sourceMaps === false ? bundled.filter((file) => !isSourceMap(file)) : withMapComments(bundled);
  const files = await packageFiles(options, [...code, ...responses], protocols, responses.length > 0);
  const platform = currentPlatform();
  const archiveName = `terraform-provider-${name}_${version}_${platform}.zip`;
  const launcherName = `terraform-provider-${name}_v${version}`;
  const written: string[] = [];
  const put = async (folder: string, entries: readonly ZipEntry[]): Promise<string> => {
    await writePackage(folder, entries);
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

/** Placeholder for the launcher's file name, which depends on the layout. */
const launcherEntry = "launcher";

async function packageFiles(
  { address, embedNode = false, portable = false }: PackageOptions,
  bundled: readonly BundledFile[],
  protocols: readonly (5 | 6)[],
  hasResponses: boolean,
): Promise<ZipEntry[]> {
  const environment = {
    ...(address === undefined ? {} : { TENON_PROVIDER_ADDRESS: address }),
    ...(protocols.length === 2 ? {} : { TENON_PROVIDER_PROTOCOLS: protocols.join() }),
    ...(hasResponses ? { TENON_PROVIDER_RESPONSES: `$here/${responseFilePrefix}` } : {}),
  };
  return await packagedFiles(bundled, launcherEntry, { embedNode, portable, environment });
}

/** Returns the files of a release. @see terraform-provider-scaffolding-framework .goreleaser.yml, for the files that registries expect */
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

function checkedAddress({ name, version, address: text, mirror }: PackageOptions): ReturnType<typeof parseSourceAddress> | undefined {
  const refuse = (what: string): never => {
    throw new SdkError("INVALID_PACKAGE_OPTION", what);
  };
  if (!/^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/.test(name))
    refuse(`${JSON.stringify(name)} is not a valid provider name; use lower case letters, digits and hyphens`);
  if (!/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.test(version))
    refuse(`${JSON.stringify(version)} is not a valid version; write it as 1.2.3`);
  if (text === undefined) return mirror ? refuse("a mirror needs --address host/namespace/name") : undefined;
  const address = parseSourceAddress(text);
  if (address.type !== name) refuse(`the address ${text} ends in ${address.type}, but the provider's name is ${name}`);
  return address;
}
