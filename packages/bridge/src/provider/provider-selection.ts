// SPDX-License-Identifier: Apache-2.0
import { basename } from "node:path";
import { BridgeError } from "../error.ts";

/** The provider to bridge, and the components to include. */
export interface ProviderSelection {
  readonly source: ProviderLocation;
  /** Names of the resource types, data sources, ephemeral resources and functions to include. If empty, all are included. */
  readonly includes: readonly string[];
  /** Names of components to exclude. */
  readonly excludes: readonly string[];
  /** Name of the package. Default: the type of the provider. */
  readonly packageName?: string;
  /** Names that the package must keep, by component or attribute. */
  readonly names?: Readonly<Record<string, string>>;
  /** Whether numbers that a double cannot hold exactly are strings in outputs. Default: false. */
  readonly exactNumbers?: boolean;
  /** Hashes that the provider's package must have. Default: the hashes that its source reports. */
  readonly lock?: PackageLock;
}

/** Hashes of a provider's package, as lock files record them. */
export interface PackageLock {
  /** Platform of the machine that recorded them, such as `linux_amd64`. */
  readonly platform: string;
  readonly hashes: readonly string[];
}

/** The source of a provider: an address with constraints on its version, or an executable file. */
export type ProviderLocation =
  | { readonly kind: "address"; readonly address: string; readonly version?: string }
  | { readonly kind: "file"; readonly path: string };

/** Usage text of the arguments of {@link parseProviderArguments}. */
export const providerUsage: string =
  "[host/][namespace/]type [version], or the path of a provider's executable; " +
  "--include name,…, --exclude name,… and --provider-name name select components and name the package";

/**
 * Parses the arguments that select a provider: `[host/][namespace/]type [version]` or a path, and the flags `--include`, `--exclude` and
 * `--provider-name`. A flag's value follows after `=` or as the next argument; names are separated by commas, and flags may be repeated.
 *
 * @throws BridgeError `INVALID_ARGUMENTS`
 */
export function parseProviderArguments(args: readonly string[]): ProviderSelection {
  const positional: string[] = [];
  const flags: Record<Flag, string[]> = { "--include": [], "--exclude": [], "--provider-name": [] };
  for (let at = 0; at < args.length; at += 1) {
    const [flag = "", ...inline] = args[at]!.split("=");
    if (!flag.startsWith("-")) {
      positional.push(args[at]!);
      continue;
    }
    if (!(flag in flags)) throw invalid(`there is no flag ${flag}`);
    const value = inline.length > 0 ? inline.join("=") : args[(at += 1)];
    if (value === undefined || value === "") throw invalid(`the flag ${flag} needs a value`);
    flags[flag as Flag].push(value);
  }
  const names = (flag: Flag): readonly string[] => flags[flag].flatMap((value) => value.split(",")).filter(Boolean);
  const [packageName] = flags["--provider-name"].toReversed();
  const selection = {
    source: location(positional),
    includes: names("--include"),
    excludes: names("--exclude"),
    ...(packageName === undefined ? {} : { packageName }),
  };
  if (packageName !== undefined && !/^[A-Za-z][A-Za-z0-9_-]*$/.test(packageName)) {
    throw invalid(
      `${JSON.stringify(packageName)} is not a package name: it must begin with a letter, and contain only letters, digits, - and _`,
    );
  }
  const both = selection.includes.filter((name) => selection.excludes.includes(name));
  if (both.length > 0) throw invalid(`${both.join(", ")} cannot be both included and excluded`);
  return selection;
}

type Flag = "--include" | "--exclude" | "--provider-name";

function location(positional: readonly string[]): ProviderLocation {
  const [first, version, ...rest] = positional;
  if (first === undefined || first === "") throw invalid("the provider is missing");
  if (isPath(first)) {
    if (version !== undefined) throw invalid("an executable file has no version argument");
    if (!basename(first).includes(executablePrefix)) {
      throw invalid(`the name of the file ${JSON.stringify(first)} must contain ${executablePrefix}`);
    }
    return { kind: "file", path: first };
  }
  if (basename(first).startsWith(executablePrefix)) {
    throw invalid(`${JSON.stringify(first)} is not the source address of a provider; the path of an executable begins with ./, ../ or /`);
  }
  if (rest.length > 0) throw invalid(`there are ${positional.length} arguments, but at most 2 are allowed`);
  return { kind: "address", address: first, ...(version === undefined || version === "" ? {} : { version }) };
}

const executablePrefix = "terraform-provider-";

/** Whether an argument is a path instead of an address. */
function isPath(argument: string): boolean {
  return /^(?:\.{1,2}(?:[/\\]|$)|[/\\]|[A-Za-z]:[/\\])/.test(argument);
}

/** Name and version in the file name of an executable: `terraform-provider-random_v3.6.3` is `random` 3.6.3. */
export function fileNameParts(path: string): { readonly name: string; readonly version?: string } {
  const file = basename(path).replace(/\.exe$/i, "");
  const name = file.slice(file.lastIndexOf(executablePrefix) + executablePrefix.length);
  const versioned = /^(.+?)_v(\d+\.\d+\.\d+[-+.\w]*?)(?:_x\d+)?$/.exec(name);
  return versioned ? { name: versioned[1]!, version: versioned[2]! } : { name };
}

/** Returns a function that tells whether the selection includes a component. */
export function componentFilter({ includes, excludes }: Pick<ProviderSelection, "includes" | "excludes">): (name: string) => boolean {
  const included = new Set(includes);
  const excluded = new Set(excludes);
  return (name) => (included.size === 0 || included.has(name)) && !excluded.has(name);
}

function invalid(problem: string): BridgeError {
  return new BridgeError("INVALID_ARGUMENTS", `${problem}; arguments: ${providerUsage}`);
}
