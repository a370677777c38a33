// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { SourceError } from "./source-error.ts";

/** Settings for running the `git` program. */
export interface GitSettings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/** Protocols that `git` may use, also for submodules and redirects. Other protocols can run programs that the address names. */
const allowedProtocols = ["file", "git", "http", "https", "ssh"];

/**
 * Clones a repository and its submodules.
 *
 * @param address A URL with an optional `ref` (branch, tag or commit) and `depth` in its query.
 * @param target A folder that does not exist. It is removed if the repository cannot be fetched.
 * @throws SourceError if the address is rejected, or `git` fails.
 * @see go-getter GitGetter
 */
export async function fetchGitPackage(address: string, target: string, settings: GitSettings): Promise<void> {
  const { url, ref, depth } = gitAddressOf(address);
  try {
    const shallow = depth === undefined ? [] : ["--depth", String(depth), ...(ref === undefined ? [] : ["--branch", ref])];
    await git(["clone", "--quiet", ...shallow, "--", url, target], undefined, settings);
    if (ref !== undefined && depth === undefined) await checkout(ref, target, settings);
    const submoduleDepth = depth === undefined ? [] : ["--depth", String(depth)];
    await git(["submodule", "update", "--quiet", "--init", "--recursive", ...submoduleDepth], target, settings);
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Splits the address of a repository.
 *
 * @throws SourceError for parts that `git` could read as an option or as a program to run.
 */
export function gitAddressOf(address: string): { readonly url: string; readonly ref?: string; readonly depth?: number } {
  const url = URL.parse(address);
  if (url === null || address.startsWith("-") || address.includes("::"))
    throw new SourceError("the address of the repository is not a URL");
  const protocol = url.protocol.slice(0, -1);
  if (!allowedProtocols.includes(protocol)) throw new SourceError(`git may not use the protocol ${JSON.stringify(protocol)}`);
  if (url.hostname.startsWith("-") || decodeURIComponent(url.username).startsWith("-")) {
    throw new SourceError("the host and the user of a repository may not begin with a dash");
  }
  const ref = url.searchParams.get("ref") ?? undefined;
  const depthText = url.searchParams.get("depth");
  if (url.searchParams.has("sshkey")) throw new SourceError('the argument "sshkey" is not supported; use an SSH agent or GIT_SSH_COMMAND');
  for (const name of ["ref", "depth"]) url.searchParams.delete(name);
  if (ref?.startsWith("-") || ref === "") throw new SourceError(`invalid ref: ${JSON.stringify(ref)}`);
  const depth = depthText !== null && /^[1-9][0-9]*$/.test(depthText) ? Number(depthText) : undefined;
  return { url: url.href, ...(ref !== undefined && { ref }), ...(depth !== undefined && { depth }) };
}

async function checkout(ref: string, folder: string, settings: GitSettings): Promise<void> {
  for (const candidate of [ref, `refs/remotes/origin/${ref}`, `refs/tags/${ref}`]) {
    const commit = await git(["rev-parse", "--verify", "--quiet", "--end-of-options", `${candidate}^{commit}`], folder, settings).catch(
      (error: unknown) => {
        settings.signal?.throwIfAborted();
        if (error instanceof SourceError) return undefined;
        throw error;
      },
    );
    if (commit === undefined) continue;
    await git(["checkout", "--quiet", "--detach", commit.trim()], folder, settings);
    return;
  }
  throw new SourceError(`invalid ref: ${JSON.stringify(ref)}`);
}

async function git(args: readonly string[], cwd: string | undefined, { environment, signal }: GitSettings): Promise<string> {
  const child = spawn("git", ["-c", "protocol.ext.allow=never", ...args], {
    ...(cwd !== undefined && { cwd }),
    ...(signal && { signal }),
    env: { ...environment, GIT_ALLOW_PROTOCOL: allowedProtocols.join(":"), GIT_TERMINAL_PROMPT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close").catch((error: unknown) => {
    signal?.throwIfAborted();
    throw new SourceError("git must be available and on the PATH", { cause: error });
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (child.exitCode !== 0)
    throw new SourceError(`git exited with ${child.exitCode ?? child.signalCode}: ${withoutCredentials(stderr).trim()}`);
  return stdout;
}

/** Removes users, passwords and keys from the URLs in a text. */
export function withoutCredentials(message: string): string {
  return message
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^/@\s]+@/gi, "$1")
    .replace(/([?&](?:aws_access_key_secret|aws_access_token|sshkey)=)[^&\s"]*/gi, "$1redacted");
}
