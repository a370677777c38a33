// SPDX-License-Identifier: Apache-2.0
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { BridgeError } from "../../error.ts";

/** Options of `packagePulumiProvider`. */
export interface PulumiPackageOptions {
  /**
   * Module that exports the provider, as `provider` or as the default; the packager writes the program around it. Either this or `main` is
   * given.
   */
  readonly provider?: string;
  /** Program that calls `servePulumiProvider`. */
  readonly main?: string;
  /** Output folder. Only the files written by packaging are replaced. */
  readonly out: string;
  /** Name of the package, as in `pulumi-resource-<name>`. Default: the provider's name. Not with `main`, which states its name. */
  readonly name?: string;
  /** Version: a full semantic version. Default: the provider's version. Not with `main`, which states its version. */
  readonly version?: string;
  /** Whether to write the archive that engines download, too. Default: false. */
  readonly archive?: boolean;
  /** Whether to put the running Node into the package, which then works on this platform only. Default: false. */
  readonly embedNode?: boolean;
  /** Whether to leave the path of the running Node out of the launcher. Default: false. */
  readonly portable?: boolean;
  /** Whether to package source maps: stacks then show positions in the sources. Default: true. */
  readonly sourceMaps?: boolean;
}

/** Help text of the command. */
export const packageUsage = `tenon-package-pulumi-provider <provider.ts> [options]

Bundles a provider with everything it imports as the plugin pulumi-resource-<name>, and writes its Pulumi schema. The file exports the
provider: the result of defineProvider(…).with([…]), as "provider" or as the default.

  --main               the file is a program that calls servePulumiProvider, instead
  --out <folder>       output folder; default: dist-pulumi beside package.json
  --name <name>        name of the package; default: the provider's name
  --version <version>  default: the provider's version
  --archive            also write the archive that engines download
  --embed-node         include the running Node, so that the package needs no installed Node
  --portable           do not record the path of the running Node
  --no-source-maps     do not package source maps; stacks then show positions in the bundle`;

/** Options of the command line. */
export interface PackageArguments {
  readonly main?: boolean;
  readonly out?: string;
  readonly name?: string;
  readonly version?: string;
  readonly archive?: boolean;
  readonly "embed-node"?: boolean;
  readonly portable?: boolean;
  readonly "no-source-maps"?: boolean;
}

/** Reads the options of the command line. @throws BridgeError `INVALID_PACKAGE_OPTION` */
export function readPackageOptions(positionals: readonly string[], args: PackageArguments): PulumiPackageOptions {
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw invalid(`pass one file, the one that exports the provider\n\n${packageUsage}`);
  const path = resolve(file);
  return checkedPackageOptions({
    ...(args.main ? { main: path } : { provider: path }),
    out: resolve(args.out ?? join(projectFolder(dirname(path)), "dist-pulumi")),
    ...(args.name === undefined ? {} : { name: args.name }),
    ...(args.version === undefined ? {} : { version: args.version.replace(/^v/, "") }),
    archive: args.archive ?? false,
    embedNode: args["embed-node"] ?? false,
    portable: args.portable ?? false,
    sourceMaps: !(args["no-source-maps"] ?? false),
  });
}

/** Returns valid options. @throws BridgeError `INVALID_PACKAGE_OPTION` */
export function checkedPackageOptions(options: PulumiPackageOptions): PulumiPackageOptions {
  const { provider, main, name, version } = options;
  const file = provider ?? main;
  if (file === undefined || (provider !== undefined && main !== undefined)) throw invalid("pass either `provider` or `main`");
  if (!existsSync(file)) throw invalid(`there is no file ${file}`);
  if (main !== undefined && (name !== undefined || version !== undefined)) {
    throw invalid("a program that calls servePulumiProvider states its own name and version: leave out --name and --version");
  }
  if (name !== undefined && !isPackageName(name)) throw invalid(`${JSON.stringify(name)} is not a valid name of a package: ${nameRule}`);
  if (version !== undefined && !isPackageVersion(version)) {
    throw invalid(`${JSON.stringify(version)} is not a valid version; write it as 1.2.3`);
  }
  return options;
}

/** The rule for the name of a package. */
export const nameRule = "use lower case letters, digits and hyphens, a letter first";

/** Whether a package may have the name. */
export function isPackageName(name: string): boolean {
  return /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/.test(name);
}

/** Whether a text is a full semantic version. */
export function isPackageVersion(version: string): boolean {
  return /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.test(version);
}

/** Folder of the nearest package.json; the folder itself if there is none. */
function projectFolder(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) return at;
    if (dirname(at) === at) return folder;
  }
}

function invalid(problem: string): BridgeError {
  return new BridgeError("INVALID_PACKAGE_OPTION", problem);
}
