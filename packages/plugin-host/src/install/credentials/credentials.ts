// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { PluginHostError } from "../../error.ts";
import { parseHostname } from "../address/hostname.ts";
import type { CliConfig, CredentialsHelper } from "../cli-config/cli-config.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The credentials of the user, by host. */
export class Credentials {
  readonly #config: CliConfig;
  readonly #environment: Environment;
  readonly #helperFolders: readonly string[];
  readonly #signal: AbortSignal | undefined;
  readonly #helperTokens = new Map<string, Promise<string | undefined>>();

  /** @param helperFolders - folders that are searched for a credentials helper before `PATH` */
  constructor(config: CliConfig, environment: Environment, helperFolders: readonly string[], signal?: AbortSignal) {
    this.#config = config;
    this.#environment = environment;
    this.#helperFolders = helperFolders;
    this.#signal = signal;
  }

  /**
   * The `Authorization` header for a host: from `TF_TOKEN_<host>`, or else the CLI configuration, or else its credentials helper.
   * Undefined if none of them has a token.
   *
   * @throws PluginHostError `UNAUTHORIZED` if the helper fails
   */
  async authorizationFor(hostname: string): Promise<string | undefined> {
    const token = tokenFromEnvironment(hostname, this.#environment) ?? this.#config.credentials.get(hostname);
    const found = token ?? (await this.#helperToken(hostname));
    return found === undefined ? undefined : `Bearer ${found}`;
  }

  #helperToken(hostname: string): Promise<string | undefined> {
    const helper = this.#config.credentialsHelper;
    if (!helper) return Promise.resolve(undefined);
    let token = this.#helperTokens.get(hostname);
    if (!token) {
      token = runHelper(helper, hostname, this.#helperFolders, this.#environment, this.#signal);
      this.#helperTokens.set(hostname, token);
    }
    return token;
  }
}

/**
 * Returns the token of an environment variable: `TF_TOKEN_example_com` is for `example.com`, and two underscores represent a dash.
 * Non-ASCII hosts are written in punycode or in Unicode.
 *
 * @see OpenTofu internal/command/cliconfig, collectCredentialsFromEnv
 */
function tokenFromEnvironment(hostname: string, environment: Environment): string | undefined {
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith("TF_TOKEN_") || value === undefined) continue;
    const written = name.slice("TF_TOKEN_".length).replaceAll("__", "-").replaceAll("_", ".").toLowerCase();
    if (written === hostname || normalised(written) === hostname) return value;
  }
  return undefined;
}

function normalised(hostname: string): string | undefined {
  try {
    return parseHostname(hostname, (reason) => {
      throw new PluginHostError("INVALID_ADDRESS", reason);
    });
  } catch {
    return undefined;
  }
}

const helperTimeoutMs = 30_000;

/** @see https://opentofu.org/docs/internals/credentials-helpers: `<args> get <hostname>` prints a JSON object. */
async function runHelper(
  { type, args }: CredentialsHelper,
  hostname: string,
  folders: readonly string[],
  environment: Environment,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const name = `terraform-credentials-${type}${process.platform === "win32" ? ".exe" : ""}`;
  const places = [...folders, ...(environment["PATH"] ?? "").split(delimiter)].map((folder) => join(folder, name));
  const executable = places.find((place) => existsSync(place));
  const failed = (reason: string, cause?: unknown): PluginHostError =>
    new PluginHostError("UNAUTHORIZED", `the credentials helper ${name} ${reason}`, cause === undefined ? {} : { cause });
  if (executable === undefined) throw failed("is not found; install it in the CLI's folder for plugins, or on PATH");
  const child = spawn(executable, [...args, "get", hostname], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...environment },
    timeout: helperTimeoutMs,
    killSignal: "SIGKILL",
    windowsHide: true,
    ...(signal ? { signal } : {}),
  });
  const exit = once(child, "close") as Promise<[code: number | null]>;
  const [[code], output, errorOutput] = await Promise.all([exit, text(child.stdout), text(child.stderr)]).catch((cause: unknown) => {
    throw failed("cannot be run", cause);
  });
  if (code !== 0) throw failed(`ended with ${code ?? "a signal"} for ${hostname}: ${errorOutput.trim().slice(0, 500)}`);
  let response: unknown;
  try {
    response = JSON.parse(output);
  } catch (cause) {
    throw failed(`did not print JSON for ${hostname}`, cause);
  }
  const token = typeof response === "object" && response !== null && "token" in response ? response.token : undefined;
  return typeof token === "string" ? token : undefined;
}
