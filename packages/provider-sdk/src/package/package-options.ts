// SPDX-License-Identifier: Apache-2.0
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SdkError } from "../error.ts";
import type { PackageOptions } from "./package-provider.ts";
import { nearestManifest, type ProjectManifest } from "./project-manifest.ts";

/** Help text of the command. */
export const usage = `tenon-package-provider <main.ts> [options]

Bundles a provider with everything it imports, and writes a launcher for it.

  --out <folder>       output folder; default: dist-provider beside package.json
  --name <name>        as in terraform-provider-<name>; default: from package.json
  --version <version>  default: from package.json
  --address <address>  host/namespace/name, needed with --mirror
  --mirror             also write a filesystem mirror, unpacked and packed
  --zip                also write the archive to publish, with its checksums and manifest
  --embed-node         include the running Node, so that the package needs no installed Node
  --portable           do not record the path of the running Node
  --live-schema        do not package the schemas; the provider computes them at every start
  --no-source-maps     do not package source maps; stacks then show positions in the bundle`;

/** Options of the command line. */
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
  readonly "no-source-maps"?: boolean;
}

/**
 * Reads the options of the command line, with defaults from the nearest `package.json`.
 *
 * @throws SdkError `INVALID_PACKAGE_OPTION` if a required option is in neither.
 */
export function readPackageOptions(positionals: readonly string[], args: PackageArguments): PackageOptions {
  const [main, ...rest] = positionals;
  if (main === undefined || rest.length > 0)
    throw new SdkError("INVALID_PACKAGE_OPTION", `pass one file, the one that calls serve()\n\n${usage}`);
  if (!existsSync(main)) throw new SdkError("INVALID_PACKAGE_OPTION", `there is no file ${main}`);
  const manifest: ProjectManifest = nearestManifest(dirname(resolve(main))) ?? { folder: process.cwd() };
  const name = args.name ?? args.address?.split("/").at(-1) ?? /^(?:@[^/]+\/)?terraform-provider-(.+)$/.exec(manifest.name ?? "")?.[1];
  const version = args.version ?? manifest.version;
  if (name === undefined) throw new SdkError("INVALID_PACKAGE_OPTION", "pass --name: package.json is not named terraform-provider-<name>");
  if (version === undefined) throw new SdkError("INVALID_PACKAGE_OPTION", "pass --version: package.json has no version");
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
    sourceMaps: !(args["no-source-maps"] ?? false),
  };
}
