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

/** What a user may show to which host, and to no other. */
export class Credentials {
  private readonly config: CliConfig;
  private readonly environment: Environment;
  private readonly helperFolders: readonly string[];
  private readonly helped = new Map<string, Promise<string | undefined>>();

  /** @param helperFolders Where helpers are looked for, before `PATH`. */
  constructor(config: CliConfig, environment: Environment, helperFolders: readonly string[]) {
    this.config = config;
    this.environment = environment;
    this.helperFolders = helperFolders;
  }

  /**
   * The `Authorization` header for a host: by `TF_TOKEN_<host>`, or else the CLI's configuration, or else its credentials helper.
   * Undefined where nobody knows one.
   *
   * @throws PluginHostError `UNAUTHORIZED` where the helper fails.
   */
  async authorizationFor(hostname: string): Promise<string | undefined> {
    const token = tokenFromEnvironment(hostname, this.environment) ?? this.config.credentials.get(hostname);
    const found = token ?? (await this.askHelper(hostname));
    return found === undefined ? undefined : `Bearer ${found}`;
  }

  private askHelper(hostname: string): Promise<string | undefined> {
    const helper = this.config.credentialsHelper;
    if (!helper) return Promise.resolve(undefined);
    let answer = this.helped.get(hostname);
    if (!answer) {
      answer = runHelper(helper, hostname, this.helperFolders, this.environment);
      this.helped.set(hostname, answer);
    }
    return answer;
  }
}

/**
 * The token of a variable: `TF_TOKEN_example_com` is for `example.com`, and two underscores stand for a dash. Hosts that are not
 * written in ASCII are there in punycode, or as they are read.
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
): Promise<string | undefined> {
  const name = `terraform-credentials-${type}${process.platform === "win32" ? ".exe" : ""}`;
  const places = [...folders, ...(environment["PATH"] ?? "").split(delimiter)].map((folder) => join(folder, name));
  const executable = places.find((place) => existsSync(place));
  const failed = (reason: string, cause?: unknown): PluginHostError =>
    new PluginHostError("UNAUTHORIZED", `the credentials helper ${name} ${reason}`, cause === undefined ? {} : { cause });
  if (executable === undefined) throw failed("is not found; it belongs in the folder for plugins of the CLI, or on PATH");
  const child = spawn(executable, [...args, "get", hostname], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...environment },
    timeout: helperTimeoutMs,
    killSignal: "SIGKILL",
    windowsHide: true,
  });
  const ended = once(child, "close") as Promise<[code: number | null]>;
  const [[code], output, complaint] = await Promise.all([ended, text(child.stdout), text(child.stderr)]).catch((cause: unknown) => {
    throw failed("cannot be run", cause);
  });
  if (code !== 0) throw failed(`ended with ${code ?? "a signal"} for ${hostname}: ${complaint.trim().slice(0, 500)}`);
  let answer: unknown;
  try {
    answer = JSON.parse(output);
  } catch (cause) {
    throw failed(`did not answer with JSON for ${hostname}`, cause);
  }
  const token = typeof answer === "object" && answer !== null && "token" in answer ? answer.token : undefined;
  return typeof token === "string" ? token : undefined;
}
