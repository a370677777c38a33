// SPDX-License-Identifier: Apache-2.0
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { PluginHostError } from "../../error.ts";
import { type CliConfig, type CliFlavour, emptyCliConfig } from "./cli-config.ts";
import { decodeCliConfig } from "./decode-cli-config.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Loads the CLI configuration: the file in `TF_CLI_CONFIG_FILE`, or else the file in the user's home and all `*.tfrc` and `*.tfrc.json` in
 * the configuration folder, where `login` stores tokens; and environment variables that override settings.
 * @param onWarning - called if `TF_CLI_CONFIG_FILE` names a file that does not exist; then no file is read, as in the CLIs
 * @throws PluginHostError `INVALID_CLI_CONFIG`
 * @see OpenTofu internal/command/cliconfig, LoadConfig
 */
export async function loadCliConfig(
  flavour: CliFlavour,
  environment: Environment = process.env,
  onWarning: (message: string) => void = () => {},
): Promise<CliConfig> {
  const named = environment["TF_CLI_CONFIG_FILE"] || environment["TERRAFORM_CONFIG"];
  const main = named || configFile(flavour, environment);
  if (named && !existsSync(named)) onWarning(`the CLI configuration file ${named}, which TF_CLI_CONFIG_FILE names, does not exist`);
  const files = existsSync(main) ? [main] : [];
  if (!named) files.push(...(await filesOf(configFolder(flavour, environment))));
  let config = emptyCliConfig;
  for (const file of files) {
    const text = await readFile(file, "utf8").catch((cause: unknown) => {
      throw new PluginHostError("INVALID_CLI_CONFIG", `${file} cannot be read: ${(cause as Error).message}`, { cause });
    });
    config = merge(config, decodeCliConfig(text, file, flavour, environment));
  }
  const cacheDir = environment["TF_PLUGIN_CACHE_DIR"];
  const mayBreak = environment["TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE"] ?? "";
  return {
    ...config,
    ...(cacheDir ? { pluginCacheDir: cacheDir } : {}),
    ...(mayBreak !== "" && mayBreak !== "0" ? { pluginCacheMayBreakDependencyLockFile: true } : {}),
  };
}

/** The CLI's configuration folder of the user, with `credentials.tfrc.json` and `plugins`. */
export function configFolder(flavour: CliFlavour, environment: Environment): string {
  if (process.platform === "win32") return join(environment["APPDATA"] ?? homedir(), "terraform.d");
  const folder = join(home(environment), ".terraform.d");
  const xdg = environment["XDG_CONFIG_HOME"];
  return flavour === "opentofu" && xdg && !existsSync(folder) ? join(xdg, "opentofu") : folder;
}

/** The user's home folder: `HOME` if it is set. */
export function home(environment: Environment): string {
  return environment["HOME"] || homedir();
}

function configFile(flavour: CliFlavour, environment: Environment): string {
  const [folder, newName, oldName] =
    process.platform === "win32"
      ? [environment["APPDATA"] ?? homedir(), "tofu.rc", "terraform.rc"]
      : [home(environment), ".tofurc", ".terraformrc"];
  const old = join(folder, oldName);
  const own = join(folder, newName);
  if (flavour === "terraform") return old;
  if (existsSync(own)) return own;
  if (existsSync(old)) return old;
  const xdg = environment["XDG_CONFIG_HOME"];
  return xdg && process.platform !== "win32" ? join(xdg, "opentofu", "tofurc") : own;
}

async function filesOf(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const all = await readdir(folder).catch((cause: unknown) => {
    throw new PluginHostError("INVALID_CLI_CONFIG", `${folder} cannot be read: ${(cause as Error).message}`, { cause });
  });
  const names = all.filter((name) => /\.tfrc(?:\.json)?$/.test(name));
  return names.sort((left, right) => (left < right ? -1 : 1)).map((name) => join(folder, name));
}

/** Merges two files: the first takes precedence for single settings, the second for entries of maps. */
function merge(first: CliConfig, second: CliConfig): CliConfig {
  if (first.providerInstallation && second.providerInstallation) {
    throw new PluginHostError(
      "INVALID_CLI_CONFIG",
      "two CLI configuration files have provider_installation blocks: only one may have them",
    );
  }
  return {
    ...second,
    ...first,
    hosts: new Map([...first.hosts, ...second.hosts]),
    credentials: new Map([...first.credentials, ...second.credentials]),
    ociCredentials: [...first.ociCredentials, ...second.ociCredentials],
  };
}
