// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SdkError } from "../error.ts";
import type { PackageOptions } from "./package-provider.ts";

/** What the command says of itself. */
export const usage = `tenon-package-provider <main.ts> [options]

Bundles a provider, with everything it imports, and puts a launcher beside it.

  --out <folder>       where to write; default: dist-provider beside package.json
  --name <name>        as in terraform-provider-<name>; default: from package.json
  --version <version>  default: from package.json
  --address <address>  host/namespace/name, needed with --mirror
  --mirror             also a filesystem mirror, unpacked and packed
  --zip                also the archive to publish, with its checksums and manifest
  --embed-node         put the running Node into it: nothing has to be installed where it runs
  --portable           do not record where the running Node is
  --live-schema        do not package the schemas: ask the provider at every start`;

/** What the command line said. */
export interface PackageArguments {
  readonly out?: string;
  readonly name?: string;
  readonly version?: string;
  readonly address?: string;
  readonly mirror?: boolean;
  readonly zip?: boolean;
  readonly "embed-node"?: boolean;
  readonly portable?: boolean;
  readonly "live-schema"?: boolean;
}

/**
 * Fills in what the command line left out from the nearest `package.json`.
 *
 * @throws SdkError `INVALID_PACKAGE_OPTION` when something is neither here nor there.
 */
export function readPackageOptions(positionals: readonly string[], args: PackageArguments): PackageOptions {
  const [main, ...rest] = positionals;
  if (main === undefined || rest.length > 0)
    throw new SdkError("INVALID_PACKAGE_OPTION", `name one file, the one that calls serve()\n\n${usage}`);
  if (!existsSync(main)) throw new SdkError("INVALID_PACKAGE_OPTION", `there is no file ${main}`);
  const manifest = nearestManifest(dirname(resolve(main)));
  const name = args.name ?? args.address?.split("/").at(-1) ?? /^(?:@[^/]+\/)?terraform-provider-(.+)$/.exec(manifest.name ?? "")?.[1];
  const version = args.version ?? manifest.version;
  if (name === undefined) throw new SdkError("INVALID_PACKAGE_OPTION", "give --name: package.json is not named terraform-provider-<name>");
  if (version === undefined) throw new SdkError("INVALID_PACKAGE_OPTION", "give --version: package.json has none");
  return {
    main: resolve(main),
    out: resolve(args.out ?? join(manifest.folder, "dist-provider")),
    name,
    version: version.replace(/^v/, ""),
    ...(args.address === undefined ? {} : { address: args.address }),
    mirror: args.mirror ?? false,
    zip: args.zip ?? false,
    embedNode: args["embed-node"] ?? false,
    portable: args.portable ?? false,
    liveSchema: args["live-schema"] ?? false,
  };
}

interface Manifest {
  readonly folder: string;
  readonly name?: string;
  readonly version?: string;
}

function nearestManifest(folder: string): Manifest {
  const path = join(folder, "package.json");
  if (existsSync(path)) return { ...(JSON.parse(readFileSync(path, "utf8")) as Omit<Manifest, "folder">), folder };
  const parent = dirname(folder);
  return parent === folder ? { folder: process.cwd() } : nearestManifest(parent);
}
